package dev.argus.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A way to a receiver, without a network, on which everything happens that happens on networks. Each time the dice of its seed decide. */
final class FaultyWay implements Poster {
    private final Random random;
    private final List<byte[]> passed = new ArrayList<>();
    FrameReceiver receiver;
    double faults;

    FaultyWay(FrameReceiver receiver, double faults, Random random) {
        this.receiver = receiver;
        this.faults = faults;
        this.random = random;
    }

    @Override
    public Answer post(byte[] shipment) throws IOException {
        if (random.nextDouble() >= faults) {
            return deliver(shipment);
        }
        return switch (random.nextInt(9)) {
            case 0 -> throw new IOException("connection refused");
            case 1 -> {
                deliver(shipment);
                throw new IOException("the reply was lost");
            }
            case 2 -> {
                deliver(shipment);
                yield new Answer(200, NO_WAIT, "<html>hello</html>".getBytes(UTF_8));
            }
            case 3 -> new Answer(500, NO_WAIT, new byte[0]);
            case 4 -> new Answer(503, 2_000, new byte[0]);
            case 5 -> {
                byte[] damaged = shipment.clone();
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                yield deliver(damaged);
            }
            case 6 -> { // an old request that hung somewhere arrives again, before or after this one
                if (!passed.isEmpty()) {
                    deliver(passed.get(random.nextInt(passed.size())));
                }
                yield deliver(shipment);
            }
            case 7 -> {
                Answer now = deliver(shipment);
                byte[] cut = Arrays.copyOf(now.body(), random.nextInt(now.body().length));
                yield new Answer(200, NO_WAIT, cut);
            }
            // the answer to another one
            default -> passed.isEmpty() ? deliver(shipment) : answer(passed.getFirst());
        };
    }

    private Answer deliver(byte[] shipment) {
        if (passed.size() > 50) {
            passed.remove(random.nextInt(passed.size()));
        }
        passed.add(shipment);
        return answer(shipment);
    }

    private Answer answer(byte[] shipment) {
        try {
            ShipmentReply reply = receiver.receive(Shipment.decode(shipment));
            return new Answer(200, NO_WAIT, reply.encode());
        } catch (WireException damaged) {
            return new Answer(400, NO_WAIT, new byte[0]);
        }
    }
}
