/**
 * The demonstration: a server, a simulated job that writes real rings, and the agent that reads them, with a judge beside who knows the truth.
 *
 * <p>Entry: {@link dev.argus.cli.demo.Demo}.
 *
 * <p>Threads: one plays the job, one is the agent and speaks; the server has its own. What they hand each other is immutable.
 *
 * <p>Must not import the other packages of the command line but {@code text} and {@code json}.
 */
@NullMarked
package dev.argus.cli.demo;

import org.jspecify.annotations.NullMarked;
