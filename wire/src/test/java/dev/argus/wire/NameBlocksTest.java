package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.NameTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameBlocksTest {
    private static final int NAMES = 300;

    private final NameTable table = new NameTable();
    private final SessionNames names = new SessionNames(table);

    private byte[] block(int base, int end) {
        WireWriter to = new WireWriter();
        names.write(base, end, to);
        return to.toByteArray();
    }

    private void fill() {
        for (int i = 0; i < NAMES; i++) {
            names.number(table.id("kernel " + i + "x".repeat(i % 40)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 500, 4096, 1 << 20})
    void piecesTeachTheSameNamesInTheSameOrder(int most) {
        fill();
        NameTable theirs = new NameTable();
        NameBook book = new NameBook(theirs);
        List<List<byte[]>> pieces = NameBlocks.pieces(List.of(block(0, 200), block(150, NAMES)), most);
        for (List<byte[]> piece : pieces) {
            int bytes = piece.stream().mapToInt(b -> b.length).sum();
            assertThat(piece.size() == 1 || bytes <= most).isTrue();
            piece.forEach(b -> assertThat(book.learn(new WireReader(b))).isTrue());
        }
        assertThat(book.size()).isEqualTo(NAMES);
        for (int i = 0; i < NAMES; i++) {
            assertThat(theirs.name(book.id(i))).isEqualTo("kernel " + i + "x".repeat(i % 40));
        }
        assertThat(pieces.size() == 1).isEqualTo(most >= 1 << 20);
    }

    @Test
    void blocksWithoutNamesAreNoPieces() {
        assertThat(NameBlocks.pieces(List.of(), 100)).isEmpty();
        assertThat(NameBlocks.pieces(List.of(block(0, 0)), 100)).isEmpty();
    }

    @Test
    void whatIsNoBlockIsRefused() {
        assertThatThrownBy(() -> NameBlocks.pieces(List.of(new byte[] {1, 2, 3}), 100))
                .isInstanceOf(WireException.class);
    }
}
