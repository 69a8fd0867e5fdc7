package dev.argus.benchmarks;

/**
 * What a figure has to reach.
 *
 * @param relation {@code >=}, {@code <=} or {@code ==}
 * @param bound in the unit of the figure
 */
record Bar(String relation, double bound) {
    Bar {
        if (!relation.equals(">=") && !relation.equals("<=") && !relation.equals("==")) {
            throw new IllegalArgumentException("relation '" + relation + "', expected >=, <= or ==");
        }
    }

    static Bar atLeast(double bound) {
        return new Bar(">=", bound);
    }

    static Bar atMost(double bound) {
        return new Bar("<=", bound);
    }

    static Bar exactly(long bound) {
        return new Bar("==", (double) bound);
    }

    boolean holds(double value) {
        return switch (relation) {
            case ">=" -> value >= bound;
            case "<=" -> value <= bound;
            default -> Double.compare(value, bound) == 0;
        };
    }

    /** As in the contract: {@code >= 0.8}; whole numbers with all their digits. */
    String text() {
        boolean whole = bound == Math.rint(bound) && Math.abs(bound) < 0x1.0p53;
        return relation + " " + (whole ? Long.toString((long) bound) : Figure.plain(bound));
    }
}
