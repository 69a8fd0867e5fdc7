package dev.argus.hostlocal.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * What pages that show a diagnosis have in common: colours, numbers as people say them, and small pictures. Resources beside this class, one home for the page that {@code diagnose}
 * writes and the one that a server serves.
 */
public final class PageLook {
    private PageLook() {}

    /** Declarations of functions in one scope; runs nothing but reads where the document is. */
    public static String script() throws IOException {
        return resource("look.js");
    }

    /** Style sheet. */
    public static String style() throws IOException {
        return resource("look.css");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = PageLook.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing beside " + PageLook.class.getName() + "; build again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
