package dev.argus.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How the ranks of a job are laid out over parallel dimensions, fastest first.
 *
 * <p>Rank = sum over dimensions of coordinate x stride, the stride of the first dimension being 1. Dimensions of size 1 may
 * be listed or left out. Valid from a step on within one attempt.
 *
 * @param dimensions dimensions, fastest first; the product of their sizes is the world size
 * @param source where it is known from: {@code given}, {@code distributedInfo}, {@code collectives}, {@code file},
 *     {@code none}
 */
public record Topology(List<Dimension> dimensions, String source) {

    private static final Pattern DIMENSION = Pattern.compile("([a-z]{1,8}[1-9]?)=([1-9][0-9]{0,8})");

    /** No layout known: every rank is alike as far as the topology goes. */
    public static final Topology UNKNOWN = new Topology(List.of(), "none");

    /**
     * One parallel dimension.
     *
     * @param name lower case: {@code tp}, {@code cp}, {@code ep}, {@code dp}, {@code pp}; {@code dim1}, {@code dim2} for one that the records do not name
     * @param size number of coordinates, &gt;= 1
     */
    public record Dimension(String name, int size) {}

    /** Copies defensively. */
    public Topology {
        dimensions = List.copyOf(dimensions);
    }

    /** A layout as {@link #text} writes it; a part of another form is left out, and so are all behind it. */
    public static Topology ofText(String text, String source) {
        List<Dimension> dimensions = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher form = DIMENSION.matcher(part);
            if (!form.matches()) {
                break;
            }
            dimensions.add(new Dimension(form.group(1), Integer.parseInt(form.group(2))));
        }
        return new Topology(dimensions, source);
    }

    /** What a dimension is called, fastest first from 1 on, that no record names: better no word than a wrong one. */
    public static String unnamed(int place) {
        return "dim" + place;
    }

    /** In short, fastest dimension first, such as {@code tp=2,dp=8}; empty when nothing is known. */
    public String text() {
        return dimensions.stream().map(d -> d.name() + "=" + d.size()).collect(Collectors.joining(","));
    }

    /** Product of the sizes; 1 when no dimension is known. */
    public int worldSize() {
        int product = 1;
        for (Dimension d : dimensions) {
            product *= d.size();
        }
        return product;
    }

    /** Size of a dimension, 1 when it is not listed. */
    public int size(String name) {
        for (Dimension d : dimensions) {
            if (d.name().equals(name)) {
                return d.size();
            }
        }
        return 1;
    }

    /** Coordinate of a rank along a dimension, 0 when the dimension is not listed. */
    public int coordinate(int rank, String name) {
        int stride = 1;
        for (Dimension d : dimensions) {
            if (d.name().equals(name)) {
                return (rank / stride) % d.size();
            }
            stride *= d.size();
        }
        return 0;
    }

    /** All ranks which differ from the given one along the named dimension only, itself included. */
    public RankSet group(int rank, String name) {
        int stride = 1;
        for (Dimension d : dimensions) {
            if (d.name().equals(name)) {
                int base = rank - coordinate(rank, name) * stride;
                int[] members = new int[d.size()];
                for (int i = 0; i < members.length; i++) {
                    members[i] = base + i * stride;
                }
                return RankSet.of(members);
            }
            stride *= d.size();
        }
        return RankSet.of(rank);
    }

    /** Names of the dimensions of size above 1, fastest first. */
    public List<String> order() {
        List<String> names = new ArrayList<>();
        for (Dimension d : dimensions) {
            if (d.size() > 1) {
                names.add(d.name());
            }
        }
        return names;
    }
}
