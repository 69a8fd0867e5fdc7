/**
 * Clocks of hosts: how far apart they are, found from the common ends of collectives, each with an error bound, or the reason why
 * it cannot be known. For merged timelines; no detector looks at it.
 */
@NullMarked
package dev.argus.digest.clocks;

import org.jspecify.annotations.NullMarked;
