package dev.argus.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The elements with the best fits so far; the score of the last of them tells what need not be looked at. */
final class LinkLeaders {
    private final LinkFit[] fits;
    private final List<Integer> front = new ArrayList<>();
    private final int keep;
    private double floor;

    LinkLeaders(LinkFit[] fits, int keep, double floor) {
        this.fits = fits;
        this.keep = keep;
        this.floor = floor;
    }

    double floor() {
        return floor;
    }

    /** An element has a better fit than before. */
    void improved(int element) {
        if (!front.contains(element)) {
            front.add(element);
        }
        front.sort(
                Comparator.comparingDouble((Integer e) -> -fits[e].score()).thenComparing(Comparator.naturalOrder()));
        if (front.size() > keep) {
            front.removeLast();
        }
        if (front.size() == keep) {
            floor = Math.max(floor, fits[front.getLast()].score());
        }
    }

    /** Those in front, then such that are slow in no step, as far as there is room. */
    List<LinkFit> list() {
        List<LinkFit> list = new ArrayList<>();
        front.forEach(e -> list.add(fits[e]));
        for (int e = 0; e < fits.length && list.size() < keep; e++) {
            if (!front.contains(e)) {
                list.add(fits[e]);
            }
        }
        return list;
    }
}
