package dev.argus.simulator;

/** What a stream of a rank is used for. Each is a first-in-first-out queue of GPU work. */
enum Lane {
    COMPUTE(7),
    TENSOR(20),
    CONTEXT(44),
    DATA(24),
    REPLICATE(48),
    EXPERT(36),
    EXPERT_DATA(52),
    WORLD(40),
    SEND_NEXT(28),
    RECV_NEXT(29),
    RECV_PREVIOUS(30),
    SEND_PREVIOUS(31);

    static final Lane[] ALL = values();

    private final int stream;

    Lane(int stream) {
        this.stream = stream;
    }

    int stream() {
        return stream;
    }

    static Lane of(GroupKind kind) {
        return switch (kind) {
            case WORLD -> WORLD;
            case TENSOR -> TENSOR;
            case CONTEXT -> CONTEXT;
            case DATA, SHARD -> DATA;
            case REPLICATE -> REPLICATE;
            case EXPERT -> EXPERT;
            case EXPERT_DATA -> EXPERT_DATA;
            case PIPELINE ->
                throw new IllegalArgumentException("a pipeline has four lanes, by neighbour and direction");
        };
    }
}
