package dev.argus.stacks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses of a few symbols in an ELF file of 64 bits, little-endian: those of the dynamic linker first, else those of {@code .symtab}.
 *
 * <pre>
 *  ELF header (64 B)            section headers (64 B each)       symbols (24 B each)
 *  | 16 type | 32 phoff         | 4 type | 24 offset              | 0 name, 4 info, 8 value
 *  | 40 shoff | 56 phnum        | 32 size | 40 link                names: section `link`
 *  | 60 shnum                   program headers (56 B each): 0 type, 8 offset, 16 vaddr
 * </pre>
 *
 * <p>Source: ELF-64 Object File Format, System V ABI. The file may be the target's own and is hostile: bounded by {@value #MAX_STRINGS} bytes of names, {@value
 * #MAX_SYMBOLS} symbols, {@value #MAX_HEADERS} headers. Cost: a few reads, some milliseconds; done once a file.
 *
 * @param values by name; only those asked for and found
 * @param fixed true if the addresses are those in memory; else the place it is loaded at is to be added
 * @param firstOffset where the first loaded segment begins in the file
 * @param firstAddress its address, before the place it is loaded at is added
 */
record ElfSymbols(Map<String, Long> values, boolean fixed, long firstOffset, long firstAddress) {
    private static final int HEADER = 64;
    private static final int MAX_HEADERS = 4096;
    private static final int MAX_STRINGS = 64 << 20;
    private static final int MAX_SYMBOLS = 4 << 20;
    private static final int SYMBOL = 24;
    private static final int BATCH = SYMBOL * 8192;
    private static final int SYMTAB = 2;
    private static final int DYNSYM = 11;
    private static final int LOAD = 1;
    private static final int EXECUTABLE = 2;
    private static final long PAGE = 4096;

    ElfSymbols {
        values = Map.copyOf(values);
    }

    /**
     * Looks for the symbols.
     *
     * @throws IOException if it is no such file, or is cut or broken; the message says how
     */
    static ElfSymbols of(SeekableByteChannel file, List<String> names) throws IOException {
        ByteBuffer header = read(file, 0, HEADER);
        if (header.getInt(0) != 0x464C457F || header.get(4) != 2 || header.get(5) != 1) {
            throw new IOException("no ELF file of 64 bits, little-endian");
        }
        int type = header.getShort(16);
        ByteBuffer segments = table(file, header.getLong(32), header.getShort(54), header.getShort(56), 56);
        ByteBuffer sections = table(file, header.getLong(40), header.getShort(58), header.getShort(60), 64);
        Map<String, Long> values = new HashMap<>();
        for (int kind : new int[] {DYNSYM, SYMTAB}) {
            for (int at = 0; at < sections.limit() && values.size() < names.size(); at += 64) {
                if (sections.getInt(at + 4) == kind) {
                    symbols(file, sections, at, names, values);
                }
            }
        }
        for (int at = 0; at < segments.limit(); at += 56) {
            if (segments.getInt(at) == LOAD) {
                long offset = segments.getLong(at + 8);
                long address = segments.getLong(at + 16);
                long before = address % PAGE;
                return new ElfSymbols(values, type == EXECUTABLE, offset - before, address - before);
            }
        }
        throw new IOException("an ELF file without a loaded segment");
    }

    private static ByteBuffer table(SeekableByteChannel file, long offset, int size, int count, int expected)
            throws IOException {
        int entries = count & 0xFFFF;
        if (entries == 0) {
            return ByteBuffer.allocate(0);
        }
        if (size != expected || entries > MAX_HEADERS) {
            throw new IOException("an ELF file with " + entries + " headers of " + size + " bytes: expected at most "
                    + MAX_HEADERS + " of " + expected);
        }
        return read(file, offset, entries * expected);
    }

    private static void symbols(
            SeekableByteChannel file, ByteBuffer sections, int at, List<String> names, Map<String, Long> values)
            throws IOException {
        long size = sections.getLong(at + 32);
        int link = sections.getInt(at + 40);
        if (size < 0 || size / SYMBOL > MAX_SYMBOLS || link < 0 || link >= sections.limit() / 64) {
            throw new IOException(
                    "an ELF file with a table of " + size + " bytes of symbols: too large or without names");
        }
        long textSize = sections.getLong(link * 64 + 32);
        if (textSize < 0 || textSize > MAX_STRINGS) {
            throw new IOException("an ELF file with " + textSize + " bytes of names: expected at most " + MAX_STRINGS);
        }
        byte[] text =
                read(file, sections.getLong(link * 64 + 24), (int) textSize).array();
        long offset = sections.getLong(at + 24);
        for (long done = 0; done + SYMBOL <= size; done += BATCH) {
            ByteBuffer batch = read(file, offset + done, (int) Math.min(BATCH, (size - done) / SYMBOL * SYMBOL));
            for (int i = 0; i < batch.limit(); i += SYMBOL) {
                int name = batch.getInt(i);
                long value = batch.getLong(i + 8);
                if (value != 0 && name > 0 && name < text.length) {
                    match(text, name, names, value, values);
                }
            }
        }
    }

    private static void match(byte[] text, int from, List<String> names, long value, Map<String, Long> values) {
        for (String name : names) {
            int to = from + name.length();
            if (to < text.length
                    && text[to] == 0
                    && text[from] == name.charAt(0)
                    && Arrays.equals(text, from, to, name.getBytes(US_ASCII), 0, name.length())) {
                values.putIfAbsent(name, value);
            }
        }
    }

    private static ByteBuffer read(SeekableByteChannel file, long offset, int length) throws IOException {
        if (offset < 0 || offset > file.size() - length) {
            throw new IOException("an ELF file that is cut: " + length + " bytes at " + offset + " of " + file.size());
        }
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.position(offset);
        while (buffer.hasRemaining()) {
            if (file.read(buffer) < 0) {
                throw new IOException("an ELF file that shrank while it was read");
            }
        }
        return buffer.flip();
    }
}
