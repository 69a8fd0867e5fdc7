package dev.argus.server.config;

import java.util.regex.Pattern;

/**
 * Variables that Kubernetes puts into every container of a namespace that has a Service of the name {@code argus-server}: they look like settings and
 * are none.
 */
final class ServiceLinks {
    private static final Pattern NAMES =
            Pattern.compile("ARGUS_SERVER_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?)");
    private static final Pattern PORT_VALUE = Pattern.compile("(tcp|udp|sctp)://.*");

    private ServiceLinks() {}

    static boolean isOne(String name, String value) {
        return NAMES.matcher(name).matches()
                || (name.equals(Settings.PORT.variable())
                        && PORT_VALUE.matcher(value).matches());
    }
}
