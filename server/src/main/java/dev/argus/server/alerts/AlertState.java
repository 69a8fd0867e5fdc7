package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of alerts as bytes, version 1:
 *
 * <pre>
 * version:byte=1
 * n  n x { job:text id:text change:byte starts(s) ends(s) at(s) labels annotations document:text revision }
 * n  n x { job:text id:text }                                                       ended before
 * n  n x { endpoint:text  n  n x { job:text id:text revision flags:byte labels } }  told; flags 1 active, 2 refused
 * CRC-32C
 * </pre>
 *
 * Varints, (s) zigzag; labels and annotations are a count and pairs of text. Holds no address of an endpoint.
 */
final class AlertState {
    private static final int VERSION = 1;
    private static final int ACTIVE = 1;
    private static final int REFUSED = 2;
    private static final int MOST_TEXTS = 64;

    private AlertState() {}

    /** As bytes. */
    static byte[] write(AlertBook book, Map<String, Deliveries> endpoints) {
        WireWriter out = new WireWriter();
        out.writeByte(VERSION);
        out.writeVarint(book.entries().size());
        for (AlertBook.Entry entry : book.entries()) {
            Alert a = entry.alert();
            key(out, a.key());
            out.writeByte(a.change().ordinal());
            out.writeSigned(a.startsMillis()).writeSigned(a.endsMillis()).writeSigned(a.atMillis());
            texts(out, a.labels());
            texts(out, a.annotations());
            out.writeText(a.document());
            out.writeVarint(entry.revision());
        }
        out.writeVarint(book.over().size());
        book.over().forEach(key -> key(out, key));
        out.writeVarint(endpoints.size());
        endpoints.forEach((name, deliveries) -> {
            out.writeText(name);
            out.writeVarint(deliveries.told().size());
            deliveries.told().forEach((key, told) -> {
                key(out, key);
                out.writeVarint(told.revision());
                out.writeByte((told.active() ? ACTIVE : 0) | (told.refused() ? REFUSED : 0));
                texts(out, told.labels());
            });
        });
        out.writeChecksum(0);
        return out.toByteArray();
    }

    /**
     * Reads into what is empty; endpoints that are not there any more are left out.
     *
     * @throws WireException if the bytes are not what {@link #write} gives; what was read into is then to be thrown away
     */
    static void read(byte[] bytes, AlertBook book, Map<String, Deliveries> endpoints) {
        WireReader in = WireReader.checked(bytes, "state of alerts");
        int version = in.readByte();
        if (version != VERSION) {
            throw new WireException("state of alerts of version " + version + ", expected " + VERSION);
        }
        int n = count(in, 10, AlertBook.MOST);
        for (int i = 0; i < n; i++) {
            Alert alert = alert(in);
            book.restore(alert, in.readVarint());
        }
        n = count(in, 2, AlertBook.MOST_OVER);
        for (int i = 0; i < n; i++) {
            book.restoreOver(key(in));
        }
        n = count(in, 2, MOST_TEXTS);
        for (int i = 0; i < n; i++) {
            Deliveries of = endpoints.get(in.readText());
            int m = count(in, 5, AlertBook.MOST);
            for (int j = 0; j < m; j++) {
                Alert.Key key = key(in);
                long revision = in.readVarint();
                int flags = in.readByte();
                Deliveries.Told told = new Deliveries.Told(
                        revision, (flags & ACTIVE) != 0, texts(in), (flags & REFUSED) != 0, Long.MIN_VALUE / 2);
                if (of != null) {
                    of.restore(key, told);
                }
            }
        }
        in.expectEnd();
    }

    private static Alert alert(WireReader in) {
        Alert.Key key = key(in);
        int change = in.readByte();
        Kind[] kinds = Kind.values();
        if (change >= kinds.length) {
            throw new WireException("change " + change + ", expected below " + kinds.length);
        }
        long starts = in.readSigned();
        long ends = in.readSigned();
        long at = in.readSigned();
        Map<String, String> labels = texts(in);
        Map<String, String> annotations = texts(in);
        return new Alert(key, kinds[change], starts, ends, at, labels, annotations, in.readText());
    }

    private static int count(WireReader in, int bytesEach, int most) {
        int n = in.readCount(bytesEach);
        if (n > most) {
            throw new WireException("count " + n + ", expected at most " + most);
        }
        return n;
    }

    private static void key(WireWriter out, Alert.Key key) {
        out.writeText(key.job()).writeText(key.id());
    }

    private static Alert.Key key(WireReader in) {
        String job = in.readText();
        return new Alert.Key(job, in.readText());
    }

    private static void texts(WireWriter out, Map<String, String> texts) {
        out.writeVarint(texts.size());
        texts.forEach((name, text) -> out.writeText(name).writeText(text));
    }

    private static Map<String, String> texts(WireReader in) {
        int n = count(in, 2, MOST_TEXTS);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < n; i++) {
            String name = in.readText();
            texts.put(name, in.readText());
        }
        return texts;
    }
}
