/**
 * A job of many thousand ranks as encoded frames, and the diagnosis of it.
 *
 * <p>Entry: {@link dev.argus.benchmarks.scale.ScaleData} makes and encodes the records of a {@link dev.argus.benchmarks.scale.ScaleJob},
 * {@link dev.argus.benchmarks.scale.ScaleRun} takes the frames from memory to incidents; {@link dev.argus.benchmarks.scale.SoakRun} takes
 * a day of records of such a job, without encoding them.
 *
 * <p>Threads: frames are immutable once made; a run uses the threads it is given.
 */
@NullMarked
package dev.argus.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
