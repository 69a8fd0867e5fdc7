package dev.argus.engine;

import org.jspecify.annotations.Nullable;

/**
 * Transfers of a step tell nothing about links, and were compared with nothing.
 *
 * @param attempt attempt of the job
 * @param step step
 * @param because why
 */
public record LinksUntold(int attempt, long step, Because because) implements Partial {
    /** Why not. */
    public enum Because {
        /** No GPU, and all members on one host: the transfer is work of its CPUs. */
        ONE_HOST(
                "no GPU moves the bytes and all members are on one host, so transfers are work of its CPUs and pass no link"),
        /** No GPU, and a member waited for a CPU. */
        NO_CPU("no GPU moves the bytes and ranks had to wait for a CPU, so transfers take as long as that lets them");

        private final String text;

        Because(String text) {
            this.text = text;
        }
    }

    /** The reason why transfers in a group cannot be judged; null when they can. */
    static @Nullable Because because(Mover mover, int hosts) {
        if (mover == Mover.GPU) {
            return null;
        }
        return hosts < 2 ? Because.ONE_HOST : mover == Mover.CPU_SHORT ? Because.NO_CPU : null;
    }

    /** As a sentence. */
    String note() {
        return "links: not judged" + (because == Because.NO_CPU ? " in some steps, the last of them " + step : "")
                + ": " + because.text;
    }
}
