package dev.argus.stacks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Python threads of a process, newest first as Python keeps them: at most {@value #MAX_THREADS}. */
final class ThreadList {
    static final int MAX_THREADS = 512;
    private static final int MAX_OPEN_FILES = 128;

    private final ForeignMemory memory;
    private final PythonProcess python;
    private final StackLosses losses;
    private Map<Long, ThreadPlan> threads = new LinkedHashMap<>();
    private ThreadPlan @Nullable [] array;
    private @Nullable ThreadPlan main;
    private int openFiles;

    ThreadList(ForeignMemory memory, PythonProcess python, StackLosses losses) {
        this.memory = memory;
        this.python = python;
        this.losses = losses;
    }

    Collection<ThreadPlan> all() {
        return threads.values();
    }

    /** The same as an array, which stays as it is when threads go meanwhile. */
    ThreadPlan[] now() {
        ThreadPlan[] known = array;
        if (known == null) {
            known = threads.values().toArray(ThreadPlan[]::new);
            array = known;
        }
        return known;
    }

    @Nullable
    ThreadPlan of(long state) {
        return threads.get(state);
    }

    /** The thread the process began with, else the oldest; null while there is none. */
    @Nullable
    ThreadPlan main() {
        return main;
    }

    void remove(ThreadPlan plan) {
        if (threads.remove(plan.state, plan)) {
            array = null;
            close(plan);
        }
        if (main == plan) {
            main = null;
        }
    }

    /**
     * Walks the list again: one system call if no thread came or went.
     *
     * @return an error of {@link ForeignMemory}, or 0
     */
    int refresh() {
        Map<Long, Integer> at = new HashMap<>();
        int span = python.layout().threadSpan();
        long headAddress = python.interpreter() + python.layout().interpreterThreads();
        memory.begin();
        int headAt = memory.add(headAddress, 8);
        for (Long state : threads.keySet()) {
            int place = memory.add(state, span);
            if (place >= 0) {
                at.put(state, place);
            }
        }
        int status = memory.read();
        if (status == ForeignMemory.PARTIAL) { // one of them is gone with its memory
            at.clear();
            memory.begin();
            headAt = memory.add(headAddress, 8);
            status = memory.read();
        }
        if (status != ForeignMemory.COMPLETE) {
            return status < 0 ? status : broken();
        }
        return walk(memory.getLong(headAt), at, span);
    }

    private int walk(long head, Map<Long, Integer> at, int span) {
        PythonLayout layout = python.layout();
        Map<Long, ThreadPlan> found = new LinkedHashMap<>();
        long state = head;
        while (state != 0 && found.size() < MAX_THREADS) {
            Integer place = at.get(state);
            if (place == null) {
                int added = (state & 7) == 0 ? memory.add(state, span) : -1;
                if (added < 0 || memory.read() != ForeignMemory.COMPLETE) {
                    return broken();
                }
                place = added;
            }
            if (memory.getLong(place + layout.threadInterp()) != python.interpreter() || found.containsKey(state)) {
                return broken();
            }
            int inner = (int) memory.getLong(place + layout.threadNativeId());
            ThreadPlan known = threads.get(state);
            found.put(state, known != null && known.innerThread == inner ? known : new ThreadPlan(state, inner));
            state = memory.getLong(place + layout.threadNext());
        }
        if (state != 0) {
            losses.add(StackLoss.TOO_MANY_THREADS);
        }
        for (ThreadPlan before : threads.values()) {
            if (found.get(before.state) != before) {
                close(before);
            }
        }
        threads = found;
        array = null;
        name();
        return 0;
    }

    private int broken() {
        losses.add(StackLoss.BROKEN_THREADS);
        return 0;
    }

    /** Finds the main thread, and what the threads are called on this host. */
    private void name() {
        int pid = python.identity().pid();
        boolean inside = python.innerPid() != pid;
        Map<Integer, Integer> hosts = null;
        main = null;
        ThreadPlan oldest = null;
        for (ThreadPlan plan : threads.values()) {
            oldest = plan;
            if (plan.innerThread == python.innerPid()) {
                main = plan;
                plan.hostThread = pid;
            } else if (plan.hostThread == 0) {
                if (inside && hosts == null) {
                    hosts = hostThreads(pid);
                }
                plan.hostThread = inside && hosts != null ? hosts.getOrDefault(plan.innerThread, 0) : plan.innerThread;
            }
        }
        main = main == null ? oldest : main;
    }

    /** In a container a thread's own id is another than the host's. */
    private static Map<Integer, Integer> hostThreads(int pid) {
        Map<Integer, Integer> found = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(ProcFiles.of(pid, "task"))) {
            for (Path task : tasks) {
                int host = Integer.parseInt(task.getFileName().toString());
                String status = ProcFiles.text(pid, "task/" + host + "/status");
                found.put(ProcFiles.innerId(status, host), host);
                if (found.size() == 4 * MAX_THREADS) {
                    break;
                }
            }
        } catch (IOException | RuntimeException gone) {
            return found; // threads end while they are looked at
        }
        return found;
    }

    /** The file with name and state of a thread; kept open, as long as there are not too many. Null if it has ended. */
    @Nullable
    TaskFile task(ThreadPlan plan) {
        TaskFile task = file(plan);
        return task != null && task.refresh() ? task : null;
    }

    /** The same, its name and state as they were. */
    @Nullable
    TaskFile living(ThreadPlan plan) {
        TaskFile task = file(plan);
        return task != null && task.lives() ? task : null;
    }

    /** The same, not looked at. */
    @Nullable
    TaskFile file(ThreadPlan plan) {
        if (plan.task == null && plan.hostThread > 0 && openFiles < MAX_OPEN_FILES) {
            plan.task = TaskFile.open(python.identity().pid(), plan.hostThread);
            openFiles += plan.task == null ? 0 : 1;
        }
        return plan.task;
    }

    private void close(ThreadPlan plan) {
        if (plan.task != null) {
            openFiles--;
        }
        plan.close();
    }

    void close() {
        threads.values().forEach(this::close);
        threads.clear();
    }
}
