package dev.argus.hostflink;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** Which jobs are judged in a task, by the rule of Flink's keyed state: what stands behind the jobs in the same task and keeps state of its own takes up that of its jobs only, whatever the parallelism was before. */
public final class OwnJobs {
    private OwnJobs() {}

    /** True if a job is judged in this task. */
    public static boolean isMine(String job, TaskInfo task) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                        job, task.getMaxNumberOfParallelSubtasks(), task.getNumberOfParallelSubtasks())
                == task.getIndexOfThisSubtask();
    }
}
