package dev.argus.trace;

import dev.argus.model.NameTable;
import dev.argus.model.StackFrames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Speedscope's file format, sampled or evented profiles; all profiles of a file are threads of one process.
 *
 * <p>Weights are taken as they are for samples and bytes, and in microseconds where they are times. Events that do not match are counted, the
 * frames they close are closed as far as they are open; frames that nobody closes end with the profile.
 */
final class SpeedscopeRead {
    private final TraceFile file;
    private final NameTable names;
    private final SideOutcome out;
    private final StackCollector stacks = new StackCollector(true);
    private final List<String> frames = new ArrayList<>();
    private long unbalanced;

    SpeedscopeRead(TraceFile file, NameTable names) {
        this.file = file;
        this.names = names;
        this.out = new SideOutcome(file, "speedscope");
    }

    ReadOutcome run() {
        try {
            byte[] bytes = SideBytes.of(file);
            return profiles(JsonTree.parse(bytes, 0, bytes.length));
        } catch (JsonError broken) {
            return out.failed("a profile that is cut or broken at byte " + broken.offset() + ": " + broken.text());
        } catch (IOException broken) {
            return out.failed("a profile, unreadable: " + FileRead.reason(broken));
        }
    }

    private ReadOutcome profiles(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)
                || !(map.get("shared") instanceof Map<?, ?> shared)
                || !(shared.get("frames") instanceof List<?> list)
                || !(map.get("profiles") instanceof List<?> profiles)) {
            return out.ignored("JSON, but no profile of speedscope: no shared frames");
        }
        for (Object frame : list) {
            frames.add(
                    frame instanceof Map<?, ?> f
                            ? StackFrames.named(word(f.get("name")), word(f.get("file")), word(f.get("line")))
                            : "?");
        }
        for (Object profile : profiles) {
            if (profile instanceof Map<?, ?> p) {
                if (p.get("samples") instanceof List<?> samples) {
                    sampled(p, samples);
                } else if (p.get("events") instanceof List<?> events) {
                    evented(p, events);
                }
            }
        }
        if (stacks.isEmpty()) {
            return out.failed("a profile without any sample");
        }
        int rank = FileNames.rank(file.label());
        if (unbalanced > 0) {
            out.problem(
                    "unbalanced-events",
                    rank,
                    unbalanced + " events open or close what they should not; the rest is used");
        }
        return out.read(
                Status.COMPLETE,
                PySpyRead.header(file, rank),
                List.of(stacks.record(rank, file.label(), names)),
                file.bytes());
    }

    private static String word(@Nullable Object value) {
        return value instanceof String || value instanceof Long ? value.toString() : "";
    }

    private static double unit(Map<?, ?> profile) {
        return switch (word(profile.get("unit"))) {
            case "seconds" -> 1e6;
            case "milliseconds" -> 1e3;
            case "nanoseconds" -> 1e-3;
            default -> 1;
        };
    }

    private static double number(@Nullable Object value) {
        double number = value instanceof Number n ? n.doubleValue() : 0;
        return Double.isFinite(number) ? number : 0;
    }

    private void sampled(Map<?, ?> profile, List<?> samples) {
        List<?> weights = profile.get("weights") instanceof List<?> w ? w : List.of();
        double unit = unit(profile);
        for (int i = 0; i < samples.size(); i++) {
            if (samples.get(i) instanceof List<?> stack) {
                List<String> inner = new ArrayList<>();
                for (int f = stack.size() - 1; f >= 0; f--) {
                    inner.add(frame(stack.get(f)));
                }
                add(profile, inner, i < weights.size() ? unit * number(weights.get(i)) : 1);
            }
        }
    }

    private String frame(@Nullable Object index) {
        return index instanceof Long i && i >= 0 && i < frames.size() ? frames.get(i.intValue()) : "?";
    }

    private void evented(Map<?, ?> profile, List<?> events) {
        double unit = unit(profile);
        List<String> open = new ArrayList<>();
        double last = number(profile.get("startValue"));
        for (Object event : events) {
            if (!(event instanceof Map<?, ?> e)) {
                unbalanced++;
                continue;
            }
            double at = number(e.get("at"));
            if (!open.isEmpty()) {
                add(profile, open.reversed(), unit * (at - last));
            }
            last = at;
            String frame = frame(e.get("frame"));
            if ("O".equals(e.get("type"))) {
                if (open.size() < StackCollector.MAX_FRAMES * 8) {
                    open.add(frame);
                } else {
                    unbalanced++;
                }
            } else {
                int place = open.lastIndexOf(frame);
                unbalanced += place == open.size() - 1 && place >= 0 ? 0 : 1;
                if (place >= 0) {
                    open.subList(place, open.size()).clear();
                }
            }
        }
        if (!open.isEmpty()) {
            unbalanced += open.size();
            add(profile, open.reversed(), unit * (number(profile.get("endValue")) - last));
        }
    }

    private void add(Map<?, ?> profile, List<String> inner, double weight) {
        long whole = Math.round(weight);
        if (whole > 0) {
            stacks.add(word(profile.get("name")), true, whole, List.copyOf(inner));
        }
    }
}
