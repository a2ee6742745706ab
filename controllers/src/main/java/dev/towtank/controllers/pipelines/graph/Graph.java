package dev.towtank.controllers.pipelines.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which tasks a pipeline has and which must be done before which; and its `finally` tasks, which come after all.
///
/// Inside, tasks are numbered as they are declared, those of `finally` last.
public final class Graph {

    /// @param ignoresFailure whether the run goes on when it fails (`onError: continue`)
    public record Node(String name, Set<String> dependsOn, boolean ignoresFailure) {
        public Node {
            dependsOn = new LinkedHashSet<>(dependsOn);
        }

        public static Node of(String name, String... dependsOn) {
            return new Node(name, new LinkedHashSet<>(List.of(dependsOn)), false);
        }
    }

    private final List<Node> nodes;
    private final int size;
    private final Map<String, Integer> numbers;
    private final int[][] parents;
    private final int[][] children;
    private final int[] ranks;

    private Graph(List<Node> tasks, List<Node> finallyTasks) {
        var all = new ArrayList<>(tasks);
        all.addAll(finallyTasks);
        nodes = List.copyOf(all);
        size = tasks.size();
        numbers = LinkedHashMap.newLinkedHashMap(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            numbers.put(nodes.get(i).name(), i);
        }
        parents = new int[size][];
        for (int i = 0; i < size; i++) {
            parents[i] =
                    nodes.get(i).dependsOn().stream().mapToInt(numbers::get).toArray();
        }
        children = reverse(parents);
        ranks = rank(parents, children);
    }

    /// @throws InvalidGraph a name appears twice, a task depends on one that is not there, or there is a cycle
    public static Graph of(List<Node> tasks, List<Node> finallyTasks) throws InvalidGraph {
        checkNames(tasks);
        checkNames(finallyTasks);
        checkCycles(tasks);
        var names = tasks.stream().map(Node::name).collect(Collectors.toSet());
        for (var task : tasks) {
            for (var parent : task.dependsOn()) {
                if (!names.contains(parent)) {
                    throw new InvalidGraph(
                            "couldn't add link between %1$s and %2$s: task %1$s depends on %2$s but %2$s wasn't present in Pipeline"
                                    .formatted(task.name(), parent));
                }
            }
        }
        return new Graph(tasks, finallyTasks);
    }

    private static void checkNames(List<Node> tasks) throws InvalidGraph {
        var seen = new LinkedHashSet<String>();
        for (var task : tasks) {
            if (!seen.add(task.name())) {
                throw new InvalidGraph(
                        "task %s is already present in Graph, can't add it again: duplicate pipeline task"
                                .formatted(task.name()));
            }
        }
    }

    /// Takes away what depends on nothing until only what lies on or behind a cycle is left.
    private static void checkCycles(List<Node> tasks) throws InvalidGraph {
        var waitsFor = new TreeMap<String, Set<String>>();
        var waitingFor = new LinkedHashMap<String, List<String>>();
        var free = new ArrayList<String>();
        for (var task : tasks) {
            if (!task.dependsOn().isEmpty()) {
                waitsFor.put(task.name(), new TreeSet<>(task.dependsOn()));
            }
            task.dependsOn()
                    .forEach(parent -> waitingFor
                            .computeIfAbsent(parent, _ -> new ArrayList<>())
                            .add(task.name()));
        }
        waitingFor.keySet().stream().filter(name -> !waitsFor.containsKey(name)).forEach(free::add);
        while (!free.isEmpty()) {
            var done = free.removeLast();
            for (var child : waitingFor.getOrDefault(done, List.of())) {
                var rest = waitsFor.get(child);
                if (rest != null && rest.remove(done) && rest.isEmpty()) {
                    waitsFor.remove(child);
                    free.add(child);
                }
            }
        }
        if (!waitsFor.isEmpty()) {
            var first = waitsFor.firstEntry();
            throw new InvalidGraph("cycle detected; task \"%s\" depends on %s"
                    .formatted(
                            first.getKey(),
                            first.getValue().stream()
                                    .map(name -> "\"" + name + "\"")
                                    .collect(Collectors.joining(", "))));
        }
    }

    private static int[][] reverse(int[][] parents) {
        var lists = new ArrayList<List<Integer>>(parents.length);
        for (int i = 0; i < parents.length; i++) {
            lists.add(new ArrayList<>());
        }
        for (int child = 0; child < parents.length; child++) {
            for (int parent : parents[child]) {
                lists.get(parent).add(child);
            }
        }
        return lists.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /// Numbers by which every task comes behind its parents.
    private static int[] rank(int[][] parents, int[][] children) {
        var open = new int[parents.length];
        var order = new int[parents.length];
        int known = 0;
        for (int i = 0; i < parents.length; i++) {
            open[i] = parents[i].length;
            if (open[i] == 0) {
                order[known++] = i;
            }
        }
        for (int next = 0; next < known; next++) {
            for (int child : children[order[next]]) {
                if (--open[child] == 0) {
                    order[known++] = child;
                }
            }
        }
        var ranks = new int[parents.length];
        for (int i = 0; i < order.length; i++) {
            ranks[order[i]] = i;
        }
        return ranks;
    }

    /// In the order of their declaration, without `finally`.
    public List<Node> tasks() {
        return nodes.subList(0, size);
    }

    public List<Node> finallyTasks() {
        return nodes.subList(size, nodes.size());
    }

    public boolean has(String task) {
        return numbers.containsKey(task);
    }

    public boolean isFinally(String task) {
        return number(task) >= size;
    }

    /// Nothing has happened yet.
    public Progress start(StartGate gate) {
        return Progress.start(this, gate);
    }

    int number(String task) {
        var number = numbers.get(task);
        if (number == null) {
            throw new IllegalArgumentException("no task " + task + " in the graph");
        }
        return number;
    }

    String name(int number) {
        return nodes.get(number).name();
    }

    Node node(int number) {
        return nodes.get(number);
    }

    /// How many tasks there are without `finally`.
    int size() {
        return size;
    }

    int total() {
        return nodes.size();
    }

    int[] parents(int task) {
        return parents[task];
    }

    int[] children(int task) {
        return children[task];
    }

    int rank(int task) {
        return ranks[task];
    }
}
