package dev.towtank.controllers.serving.source;

import dev.towtank.controllers.serving.api.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/// Where the requests to one InferenceService go: each to a revision by chance, and there to the pods in turn.
final class RouteTable {

    /// @param revision for whoever asks which model answered
    record Way(String revision, Routes.Target target) {}

    private final String model;
    private final AtomicInteger turn = new AtomicInteger();
    private final Map<String, Counts> counts = new ConcurrentHashMap<>();
    private volatile Routes routes = new Routes(List.of(), Duration.ofSeconds(60));

    RouteTable(String model) {
        this.model = model;
    }

    String model() {
        return model;
    }

    Routes routes() {
        return routes;
    }

    /// What is counted of revisions that are not led to any more is forgotten.
    void lead(Routes others) {
        routes = others;
        counts.keySet()
                .retainAll(others.shares().stream().map(Routes.Share::revision).collect(Collectors.toSet()));
    }

    private record Counts(LongAdder requests, LongAdder failures) {}

    void count(String revision, boolean isFailure) {
        var count = counts.computeIfAbsent(revision, _ -> new Counts(new LongAdder(), new LongAdder()));
        count.requests.increment();
        if (isFailure) {
            count.failures.increment();
        }
    }

    Map<String, Routes.Tally> tallies() {
        var tallies = new HashMap<String, Routes.Tally>();
        counts.forEach((revision, count) ->
                tallies.put(revision, new Routes.Tally(count.requests.sum(), count.failures.sum())));
        return tallies;
    }

    /// @param failed those that did not answer; they are asked again only where there is nobody else
    Optional<Way> choose(Set<Routes.Target> failed) {
        var all = ways(routes, Set.of());
        if (all.isEmpty()) {
            return Optional.empty();
        }
        var better = failed.isEmpty() ? all : ways(routes, failed);
        return Optional.of(one(better.isEmpty() ? all : better));
    }

    private static List<Routes.Share> ways(Routes routes, Set<Routes.Target> without) {
        var shares = new ArrayList<Routes.Share>();
        for (var share : routes.shares()) {
            var targets = share.targets().stream()
                    .filter(target -> !without.contains(target))
                    .toList();
            if (share.percent() > 0 && !targets.isEmpty()) {
                shares.add(new Routes.Share(share.revision(), share.percent(), targets));
            }
        }
        return shares;
    }

    private Way one(List<Routes.Share> shares) {
        long sum = shares.stream().mapToLong(Routes.Share::percent).sum();
        long chance = shares.size() == 1 ? 0 : ThreadLocalRandom.current().nextLong(sum);
        for (var share : shares) {
            chance -= share.percent();
            if (chance < 0) {
                return way(share);
            }
        }
        return way(shares.getLast());
    }

    private Way way(Routes.Share share) {
        var targets = share.targets();
        return new Way(share.revision(), targets.get(Math.floorMod(turn.getAndIncrement(), targets.size())));
    }
}
