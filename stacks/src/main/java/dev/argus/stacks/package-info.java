/**
 * Call stacks of CPython processes, read from outside: through {@code process_vm_readv}, without stopping or touching the process.
 *
 * <p>Entry: {@link dev.argus.stacks.StackSampler} for samples, {@link dev.argus.stacks.StackAccess} for whether they can be had,
 * {@link dev.argus.stacks.FoldedStacks} for what becomes of them, {@link dev.argus.stacks.PySpySource} for py-spy instead.
 *
 * <p>What is read belongs to another process and is hostile: every size, pointer and loop is bounded, what does not fit together is dropped
 * and counted by reason ({@link dev.argus.stacks.StackLoss}).
 *
 * <p>Threads: none of its own; an object belongs to the thread that drives it. Native calls: here and in {@code ring} only.
 *
 * <p>Must not import {@code trace}, {@code engine} or any higher floor.
 */
@NullMarked
package dev.argus.stacks;

import org.jspecify.annotations.NullMarked;
