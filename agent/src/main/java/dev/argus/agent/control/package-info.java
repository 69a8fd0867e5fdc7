/**
 * How a user talks to the running agent of this host: lines through a Unix domain socket in the folder of the rings. Begin with {@link
 * dev.argus.agent.control.ControlSocket}.
 */
@NullMarked
package dev.argus.agent.control;

import org.jspecify.annotations.NullMarked;
