package dev.towtank.app.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Where the nodes of a graph go: in layers from left to right, so that every edge points to the right,
/// with few crossings and edges as straight as may be.
///
/// An edge over several layers is bent around the nodes of those in between by points that take part like
/// nodes.
final class Layout {
    static final int WIDTH = 184;
    static final int HEIGHT = 52;
    private static final int COLUMN_GAP = 56;
    private static final int ROW_GAP = 18;
    private static final int BEND_HEIGHT = 8;
    private static final int MARGIN = 12;
    private static final int SWEEPS = 8;

    /// A node of the graph, or a bend of an edge.
    private static final class Spot {
        final String name;
        final int layer;
        final boolean bend;
        final List<Spot> before = new ArrayList<>();
        final List<Spot> after = new ArrayList<>();
        double y;

        Spot(String name, int layer, boolean bend) {
            this.name = name;
            this.layer = layer;
            this.bend = bend;
        }

        int height() {
            return bend ? BEND_HEIGHT : HEIGHT;
        }
    }

    record Place(int x, int y) {}

    /// @param points from the right side of one node to the left side of another
    record Edge(String from, String to, List<Place> points) {
        Edge {
            points = List.copyOf(points);
        }
    }

    /// @param places the upper left corners
    record Drawing(int width, int height, Map<String, Place> places, List<Edge> edges) {}

    private final Map<String, Spot> spots = new LinkedHashMap<>();
    private final List<List<Spot>> layers = new ArrayList<>();
    private final Map<String, List<String>> before;

    private Layout(Map<String, List<String>> before) {
        this.before = before;
    }

    /// @param before the nodes, each with those that it comes after, all of which are nodes; a cycle is cut somewhere
    static Drawing of(Map<String, List<String>> before) {
        return new Layout(before).draw();
    }

    private Drawing draw() {
        var ranks = new HashMap<String, Integer>();
        before.keySet().forEach(name -> rank(name, ranks));
        before.keySet().forEach(name -> spots.put(name, spot(name, ranks.getOrDefault(name, 0), false)));
        var paths = new LinkedHashMap<List<String>, List<Spot>>();
        before.forEach((to, froms) -> froms.stream()
                .filter(from -> named(from).layer < named(to).layer)
                .forEach(from -> paths.put(List.of(from, to), path(named(from), named(to)))));
        order();
        straighten();
        return finish(paths);
    }

    /// One more than the highest of those before. A node that is being ranked already closes a cycle, and
    /// counts not.
    private int rank(String name, Map<String, Integer> ranks) {
        var known = ranks.putIfAbsent(name, 0);
        if (known != null) {
            return known;
        }
        int rank = before.getOrDefault(name, List.of()).stream()
                .mapToInt(each -> rank(each, ranks) + 1)
                .max()
                .orElse(0);
        ranks.put(name, rank);
        return rank;
    }

    private Spot spot(String name, int layer, boolean bend) {
        while (layers.size() <= layer) {
            layers.add(new ArrayList<>());
        }
        var spot = new Spot(name, layer, bend);
        layers.get(layer).add(spot);
        return spot;
    }

    private Spot named(String name) {
        return Objects.requireNonNull(spots.get(name));
    }

    private List<Spot> path(Spot from, Spot to) {
        var path = new ArrayList<>(List.of(from));
        for (int layer = from.layer + 1; layer <= to.layer; layer++) {
            var next = layer == to.layer ? to : spot("", layer, true);
            path.getLast().after.add(next);
            next.before.add(path.getLast());
            path.add(next);
        }
        return path;
    }

    /// Sorts every layer by the middle of its neighbours, there and back.
    private void order() {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean forth = sweep % 2 == 0;
            for (int i = 0; i < layers.size(); i++) {
                var layer = layers.get(forth ? i : layers.size() - 1 - i);
                number(layers);
                layer.sort(Comparator.comparingDouble(spot -> middle(forth ? spot.before : spot.after, spot.y)));
            }
        }
    }

    private static void number(List<List<Spot>> layers) {
        for (var layer : layers) {
            for (int i = 0; i < layer.size(); i++) {
                layer.get(i).y = i;
            }
        }
    }

    private static double middle(List<Spot> neighbours, double otherwise) {
        return neighbours.stream().mapToDouble(each -> each.y).average().orElse(otherwise);
    }

    /// Moves everything towards its neighbours, as far as the order of a layer leaves room. What `y` is, is
    /// the middle.
    private void straighten() {
        layers.forEach(layer -> spread(layer, layer.stream().map(_ -> 0.0).toList()));
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean forth = sweep % 2 == 0;
            for (int i = 0; i < layers.size(); i++) {
                var layer = layers.get(forth ? i : layers.size() - 1 - i);
                var wished = layer.stream()
                        .map(spot -> middle(forth ? spot.before : spot.after, spot.y))
                        .toList();
                spread(layer, wished);
            }
        }
    }

    /// Gives each its wish, pushes apart what overlaps, and moves all back by how far they were pushed on
    /// average.
    private static void spread(List<Spot> layer, List<Double> wished) {
        double pushed = 0;
        double free = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < layer.size(); i++) {
            var spot = layer.get(i);
            spot.y = Math.max(wished.get(i), free + spot.height() / 2.0);
            pushed += spot.y - wished.get(i);
            free = spot.y + spot.height() / 2.0 + ROW_GAP;
        }
        double back = layer.isEmpty() ? 0 : pushed / layer.size();
        layer.forEach(spot -> spot.y -= back);
    }

    private Drawing finish(Map<List<String>, List<Spot>> paths) {
        var all = layers.stream().flatMap(List::stream).toList();
        double top = all.stream()
                .mapToDouble(spot -> spot.y - spot.height() / 2.0)
                .min()
                .orElse(0);
        double bottom = all.stream()
                .mapToDouble(spot -> spot.y + spot.height() / 2.0)
                .max()
                .orElse(0);
        all.forEach(spot -> spot.y += MARGIN - top);
        var places = spots.values().stream()
                .collect(Collectors.toMap(
                        spot -> spot.name,
                        spot -> new Place(x(spot.layer), (int) Math.round(spot.y - HEIGHT / 2.0)),
                        (one, _) -> one,
                        LinkedHashMap::new));
        var edges = paths.entrySet().stream()
                .map(path -> new Edge(path.getKey().getFirst(), path.getKey().getLast(), points(path.getValue())))
                .toList();
        int width = layers.isEmpty() ? 0 : x(layers.size() - 1) + WIDTH + MARGIN;
        return new Drawing(width, (int) Math.ceil(bottom - top) + 2 * MARGIN, places, edges);
    }

    private static int x(int layer) {
        return MARGIN + layer * (WIDTH + COLUMN_GAP);
    }

    private static List<Place> points(List<Spot> path) {
        var points = new ArrayList<Place>();
        points.add(new Place(x(path.getFirst().layer) + WIDTH, (int) Math.round(path.getFirst().y)));
        for (var bend : path.subList(1, path.size() - 1)) {
            points.add(new Place(x(bend.layer), (int) Math.round(bend.y)));
            points.add(new Place(x(bend.layer) + WIDTH, (int) Math.round(bend.y)));
        }
        points.add(new Place(x(path.getLast().layer), (int) Math.round(path.getLast().y)));
        return points;
    }
}
