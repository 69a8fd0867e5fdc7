/**
 * The collector on each host: finds the rings of training processes, cuts what they write into steps, samples their stacks from outside, and hands
 * everything to a sink, which diagnoses here or sends to a server. Begin with {@link dev.argus.agent.Collector}.
 *
 * <p>Threads: one thread drives a {@link dev.argus.agent.Collector}; only a sink that sends has more.
 *
 * <p>Must not import {@code cli}, nor listen on the network.
 */
@NullMarked
package dev.argus.agent;

import org.jspecify.annotations.NullMarked;
