package dev.argus.trace;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of an Nsight Systems export to events. Only the table of kernels must be there. */
final class NsysEvents {
    static final String KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL";
    private static final String COPIES = "CUPTI_ACTIVITY_KIND_MEMCPY";
    private static final String SETS = "CUPTI_ACTIVITY_KIND_MEMSET";
    private static final String CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME";
    private static final String RANGES = "NVTX_EVENTS";

    private static final long MAX_DURATION_NANOS = 24L * 3600 * 1_000_000_000;
    private static final long MIN_BLOCKING_NANOS = 10_000;
    private static final String NAMELESS = "kernel without name";
    private static final int PUSH_POP = 59;
    private static final int START_END = 60;
    private static final String[] APPENDED = {", op_id = ", ", seq = ", ", sizes = "};

    /** Gives what is known of a kernel's name, by the ids of its full, its short and its raw name. */
    interface Namer {
        NameInfo of(long demangled, long brief, long mangled) throws SQLException;
    }

    private final NsysRows rows;
    private final NsysParts parts;
    private final NsysClock clock;
    private final NameTable names;
    private final Map<String, NameInfo> infos = new HashMap<>();
    private NsysExchanges exchanges = new NsysExchanges();
    private long nameless;
    private long elsewhere;

    NsysEvents(NsysRows rows, NsysParts parts, NsysClock clock, NameTable names) {
        this.rows = rows;
        this.parts = parts;
        this.clock = clock;
        this.names = names;
    }

    /** Kernels whose name is not in the table of strings. */
    long nameless() {
        return nameless;
    }

    /** Copies, sets and calls of processes and GPUs without kernels. */
    long elsewhere() {
        return elsewhere;
    }

    void all() throws SQLException {
        exchanges = NsysExchanges.of(rows, parts, this::kernel, names);
        kernels();
        copies();
        sets();
        calls();
        ranges();
    }

    private NameInfo info(String text) {
        if (infos.size() > 1 << 16) {
            infos.clear();
        }
        return infos.computeIfAbsent(text, t -> new NameInfo(t, names));
    }

    /** Checks times; sets the event aside at its rank if they are impossible. */
    private boolean timely(NsysParts.Rank rank, long start, long end) {
        String fault = start == NsysRows.NONE || end == NsysRows.NONE
                ? "missing-time"
                : end < start
                        ? "negative-duration"
                        : end - start > MAX_DURATION_NANOS || end - start < 0
                                ? "impossible-duration"
                                : clock.epochNanos(start) < 0 || clock.epochNanos(end) < clock.epochNanos(start)
                                        ? "impossible-time"
                                        : null;
        if (fault != null) {
            rank.sink.quarantine(fault);
        }
        return fault == null;
    }

    // ---------------------------------------------------------------- GPU

    private void kernels() throws SQLException {
        List<String> columns = List.of(
                "start",
                "end",
                "deviceId",
                "streamId",
                "correlationId",
                "globalPid",
                "demangledName",
                "shortName",
                "mangledName",
                "gridX",
                "gridY",
                "gridZ",
                "blockX",
                "blockY",
                "blockZ");
        rows.each(KERNELS, columns, (v, row) -> {
            NsysParts.Rank rank = parts.of(v[5], Ids.of(v[2], -1));
            if (rank == null || !timely(rank, v[0], v[1])) {
                return;
            }
            NameInfo info = kernel(v[6], v[7], v[8]);
            nameless += info.text.equals(NAMELESS) ? 1 : 0;
            CollectiveOp op = info.communicates ? info.op : null;
            CollectiveCall call = op == null ? null : new CollectiveCall(op, -1, -1, -1, -1, -1, -1);
            CollectiveCall exchange = op == CollectiveOp.SEND_RECV ? exchanges.call(rank, v[0]) : null;
            long work = 1;
            for (int i = 9; i < 15; i++) {
                work = v[i] > 0 && work > 0 && work <= Long.MAX_VALUE / v[i] ? work * v[i] : 0;
            }
            parts.correlate(rank, v[4]);
            gpu(rank, GpuActivity.KERNEL, info, v, work, 0, CopyDirection.NONE, exchange == null ? call : exchange);
        });
    }

    private NameInfo kernel(long demangled, long brief, long mangled) throws SQLException {
        String name = rows.string(demangled);
        name = name == null ? rows.string(brief) : name;
        name = name == null ? rows.string(mangled) : name;
        return info(name == null ? NAMELESS : name);
    }

    private void copies() throws SQLException {
        List<String> columns =
                List.of("start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes", "copyKind");
        rows.each(COPIES, columns, (v, row) -> {
            NsysParts.Rank rank = parts.of(v[5], Ids.of(v[2], -1));
            if (rank == null) {
                elsewhere++;
            } else if (timely(rank, v[0], v[1])) {
                CopyDirection direction = direction(v[7]);
                parts.correlate(rank, v[4]);
                NameInfo info = info("Memcpy "
                        + direction.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
                gpu(rank, GpuActivity.MEMCPY, info, v, 0, Math.max(0, v[6]), direction, null);
            }
        });
    }

    private static CopyDirection direction(long kind) {
        return switch (Ids.of(kind, 0)) {
            case 1, 11 -> CopyDirection.HOST_TO_DEVICE;
            case 2, 12 -> CopyDirection.DEVICE_TO_HOST;
            case 8, 13 -> CopyDirection.DEVICE_TO_DEVICE;
            case 10 -> CopyDirection.PEER_TO_PEER;
            default -> CopyDirection.OTHER;
        };
    }

    private void sets() throws SQLException {
        List<String> columns = List.of("start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes");
        rows.each(SETS, columns, (v, row) -> {
            NsysParts.Rank rank = parts.of(v[5], Ids.of(v[2], -1));
            if (rank == null) {
                elsewhere++;
            } else if (timely(rank, v[0], v[1])) {
                parts.correlate(rank, v[4]);
                gpu(rank, GpuActivity.MEMSET, info("Memset"), v, 0, Math.max(0, v[6]), CopyDirection.NONE, null);
            }
        });
    }

    /** @param v start, end, device, stream, correlation and process first */
    private void gpu(
            NsysParts.Rank rank,
            GpuActivity activity,
            NameInfo name,
            long[] v,
            long work,
            long bytes,
            CopyDirection direction,
            @Nullable CollectiveCall call) {
        rank.sink.gpu(new GpuEvent(
                activity,
                name.id(),
                Ids.of(v[2], -1),
                Ids.of(v[3], 0),
                clock.epochNanos(v[0]),
                v[1] - v[0],
                Math.max(0, v[4]),
                work,
                bytes,
                direction,
                call));
    }

    // ---------------------------------------------------------------- CPU

    private void calls() throws SQLException {
        List<String> columns = List.of("start", "end", "globalTid", "correlationId", "nameId");
        rows.each(CALLS, columns, (v, row) -> {
            NsysParts.Rank rank = parts.caller(v[2], v[3]);
            if (rank == null) {
                elsewhere++;
                return;
            }
            if (!timely(rank, v[0], v[1])) {
                return;
            }
            String text = rows.string(v[4]);
            NameInfo name = info(text == null ? "call without name" : unversioned(text));
            long start = clock.epochNanos(v[0]);
            long duration = v[1] - v[0];
            if (v[3] > 0) {
                rank.sink.launch(new LaunchEvent(name.id(), v[3], 0, thread(v[2]), start, duration));
            }
            if (duration >= EventFields.MIN_HOST_NANOS || (name.blocking && duration >= MIN_BLOCKING_NANOS)) {
                rank.sink.span(new CpuSpan(
                        SpanKind.RUNTIME, name.id(), process(v[2]), thread(v[2]), start, duration, 0, null));
            }
        });
    }

    /** {@code cudaLaunchKernel_v7000} is {@code cudaLaunchKernel} everywhere else. */
    private static String unversioned(String name) {
        int at = name.lastIndexOf("_v");
        return at > 0 && name.startsWith("cuda") && name.substring(at + 2).matches("\\d{4,5}")
                ? name.substring(0, at)
                : name;
    }

    private static long thread(long globalTid) {
        return globalTid == NsysRows.NONE ? 0 : globalTid & 0xFFFFFF;
    }

    private static long process(long globalTid) {
        return globalTid == NsysRows.NONE ? 0 : (globalTid >>> 24) & 0xFFFFFF;
    }

    private void ranges() throws SQLException {
        List<String> columns = List.of("start", "end", "eventType", "globalTid", "textId", "text");
        rows.each(RANGES, columns, (v, row) -> {
            boolean range = v[2] == PUSH_POP || v[2] == START_END || v[2] == NsysRows.NONE;
            if (range && v[1] != NsysRows.NONE) {
                String own = row.getString(6);
                String text = own == null ? rows.string(v[4]) : own;
                if (text != null && !text.isEmpty()) {
                    for (NsysParts.Rank rank : parts.ofProcess(v[3])) {
                        range(rank, v, text);
                    }
                }
            }
        });
        for (NsysParts.Rank rank : parts.ranks()) {
            rank.steps.steps().forEach(rank.sink::step);
        }
    }

    private void range(NsysParts.Rank rank, long[] v, String text) {
        if (!timely(rank, v[0], v[1])) {
            return;
        }
        long start = clock.epochNanos(v[0]);
        long duration = v[1] - v[0];
        if (rank.steps.take(text, start, duration)) {
            return;
        }
        NameInfo name = info(bare(text));
        boolean operator = name.isOperator();
        if (!operator || duration >= EventFields.MIN_HOST_NANOS) {
            SpanKind kind = operator ? SpanKind.OPERATOR : SpanKind.ANNOTATION;
            rank.sink.span(new CpuSpan(kind, name.id(), process(v[3]), thread(v[3]), start, duration, 0, null));
        }
    }

    /** Without what PyTorch appends to the names of operators, which makes each a name of its own. */
    private static String bare(String text) {
        int end = text.length();
        for (String appended : APPENDED) {
            int at = text.indexOf(appended);
            end = at > 0 ? Math.min(end, at) : end;
        }
        return text.substring(0, end);
    }

    /** Which processes ran kernels on which GPUs; false when there are more than anybody has. */
    static boolean declare(NsysRows rows, NsysParts parts) throws SQLException {
        boolean[] all = {true};
        rows.each(KERNELS, List.of("globalPid", "deviceId"), (long[] v, ResultSet row) -> {
            all[0] &= parts.declare(v[0], Ids.of(v[1], -1));
        });
        parts.number();
        return all[0];
    }
}
