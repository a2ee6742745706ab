package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.auth.Authorizer.Attempt;
import dev.towtank.apiserver.auth.Authorizer.OnPath;
import dev.towtank.apiserver.auth.Authorizer.OnResource;
import dev.towtank.apiserver.auth.RbacPolicy.Grant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the bindings of one place give to one user or group, in the order of the bindings. The first that allows an
/// attempt is the reason for it.
///
/// Where there are many, only those are looked at whose rules name the resource, or all resources.
final class SubjectGrants {

    /// So few are looked at sooner than found.
    private static final int FEW = 8;

    private static final String ALL = "*";
    private static final List<Integer> NONE = List.of();

    // Complete before anybody else sees this.
    private final List<Grant> all = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private volatile @Nullable Map<String, List<Integer>> byResource;

    void add(Grant grant) {
        all.add(grant);
        if (!grant.problem().isEmpty()) {
            problems.add(grant.problem());
        }
    }

    List<Grant> all() {
        return all;
    }

    /// Why some of them give nothing.
    Collection<String> problems() {
        return problems;
    }

    Optional<Grant> allowing(Attempt attempt) {
        return switch (attempt) {
            case OnResource on when all.size() > FEW -> found(on.verb(), on.target());
            case OnResource on -> scanned(on.verb(), on.target());
            case OnPath on -> onPath(on);
        };
    }

    private Optional<Grant> onPath(OnPath attempt) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).allowsPath(attempt.verb(), attempt.path())) {
                return Optional.of(all.get(i));
            }
        }
        return Optional.empty();
    }

    private Optional<Grant> scanned(String verb, Target target) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).allows(verb, target)) {
                return Optional.of(all.get(i));
            }
        }
        return Optional.empty();
    }

    private Optional<Grant> found(String verb, Target target) {
        var index = index();
        var subresource = target.subresource();
        int first = first(index.getOrDefault(ALL, NONE), verb, target, all.size());
        if (subresource.isEmpty()) {
            first = first(index.getOrDefault(target.resource(), NONE), verb, target, first);
        } else {
            first = first(index.getOrDefault(target.resource() + "/" + subresource, NONE), verb, target, first);
            first = first(index.getOrDefault("*/" + subresource, NONE), verb, target, first);
        }
        return first == all.size() ? Optional.empty() : Optional.of(all.get(first));
    }

    /// The first of some grants that allows an attempt, or the one known to do so if it comes before.
    private int first(List<Integer> candidates, String verb, Target target, int known) {
        for (int i = 0; i < candidates.size() && candidates.get(i) < known; i++) {
            if (all.get(candidates.get(i)).allows(verb, target)) {
                return candidates.get(i);
            }
        }
        return known;
    }

    private Map<String, List<Integer>> index() {
        var known = byResource;
        if (known == null) {
            known = makeIndex();
            byResource = known;
        }
        return known;
    }

    private Map<String, List<Integer>> makeIndex() {
        var index = new HashMap<String, List<Integer>>();
        for (int i = 0; i < all.size(); i++) {
            for (var rule : all.get(i).rules()) {
                for (var resource : rule.resources()) {
                    var named = index.computeIfAbsent(resource, _ -> new ArrayList<>(1));
                    if (named.isEmpty() || named.getLast() != i) {
                        named.add(i);
                    }
                }
            }
        }
        return index;
    }
}
