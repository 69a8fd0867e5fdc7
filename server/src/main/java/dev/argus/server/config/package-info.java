/**
 * How a server is set up. Entry: {@link dev.argus.server.config.SettingsReader}, which gives a {@link dev.argus.server.config.ServerSettings}; what can be
 * set stands in {@link dev.argus.server.config.Settings}.
 *
 * <p>Threads: immutable. Must not import the other packages of the server.
 */
@NullMarked
package dev.argus.server.config;

import org.jspecify.annotations.NullMarked;
