package dev.towtank.app.lint;

import dev.towtank.app.lint.StoreRights.Binding;
import dev.towtank.app.lint.StoreRights.Grant;
import dev.towtank.app.lint.StoreRights.Read;
import dev.towtank.app.lint.StoreRights.Role;
import dev.towtank.app.lint.StoreRights.Store;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Stores whose account may read only Secrets of certain names. The operator asks what its account may do without
/// looking at names, calls the store valid, and fails when somebody reads another Secret.
final class StoreRightMatches {

    private StoreRightMatches() {}

    static List<Finding> of(Observations seen) {
        var found = new ArrayList<Finding>();
        for (var store : seen.stores) {
            grants(store, seen).flatMap(grants -> limited(store, grants, seen)).ifPresent(found::add);
        }
        return found;
    }

    /// All that the account of a store may do with Secrets; nothing where a role is not in these files.
    private static Optional<List<Grant>> grants(Store store, Observations seen) {
        var grants = new ArrayList<Grant>();
        for (var binding : seen.bindings) {
            if (!StoreRights.mayBeSame(binding.namespace(), store.source()) || !isSubject(store, binding)) {
                continue;
            }
            var roles = seen.roles.stream()
                    .filter(role -> role.name().isMeantBy(binding.role()))
                    .toList();
            if (roles.isEmpty() || !roles.stream().allMatch(Role::isComplete)) {
                return Optional.empty();
            }
            roles.forEach(role -> grants.addAll(role.grants()));
        }
        return Optional.of(grants);
    }

    private static boolean isSubject(Store store, Binding binding) {
        var account = store.account();
        return binding.subjects().stream().anyMatch(subject -> switch (subject.text("kind")) {
            case "ServiceAccount" ->
                subject.text("name").equals(account.name())
                        && StoreRights.mayBeSame(subject.text("namespace"), account.namespace());
            case "User" -> isUser(subject, account);
            case "Group" -> isGroup(subject.text("name"), account.namespace());
            default -> false;
        });
    }

    private static boolean isUser(Located subject, StoreRights.Name account) {
        var parts = subject.text("name").split(":", 4);
        return parts.length == 4
                && parts[1].equals("serviceaccount")
                && StoreRights.mayBeSame(parts[2], account.namespace())
                && parts[3].equals(account.name());
    }

    private static boolean isGroup(String group, String namespace) {
        var ofNamespace = "system:serviceaccounts:";
        return group.equals("system:authenticated")
                || group.equals("system:serviceaccounts")
                || (group.startsWith(ofNamespace)
                        && StoreRights.mayBeSame(group.substring(ofNamespace.length()), namespace));
    }

    private static Optional<Finding> limited(Store store, List<Grant> grants, Observations seen) {
        var limit = grants.stream()
                .filter(grant -> !grant.names().isEmpty() && (grant.allows("get") || grant.allows("list")))
                .findFirst();
        return limit.flatMap(
                grant -> refused(store, grants, seen).map(words -> finding(store, allowed(grants), words, grant)));
    }

    /// What somebody reads and cannot; all else, where these files do not say who reads.
    private static Optional<String> refused(Store store, List<Grant> grants, Observations seen) {
        var reads = seen.reads.stream()
                .filter(read -> read.store().isMeantBy(store.name()))
                .toList();
        var names = allowed(grants);
        var missing = reads.stream()
                .flatMap(read -> read.key().stream())
                .filter(key -> !key.isEmpty() && !Placeholder.isIn(key) && !names.contains(key))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!isFree(grants, "get") && !missing.isEmpty()) {
            return Optional.of("reading " + quoted(missing) + " fails");
        }
        if (!isFree(grants, "list") && reads.stream().map(Read::key).anyMatch(Optional::isEmpty)) {
            return Optional.of("finding Secrets fails, because a list is not limited to names");
        }
        return reads.isEmpty() && !isFree(grants, "get") ? Optional.of("reading any other fails") : Optional.empty();
    }

    private static SortedSet<String> allowed(List<Grant> grants) {
        return grants.stream()
                .filter(grant -> grant.allows("get"))
                .flatMap(grant -> grant.names().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isFree(List<Grant> grants, String verb) {
        return grants.stream()
                .anyMatch(grant -> grant.allows(verb) && grant.names().isEmpty());
    }

    private static Finding finding(Store store, Collection<String> names, String refused, Grant grant) {
        return Finding.of(
                Rule.SECRETSTORE_RIGHTS,
                grant.place(),
                store.name().kind() + " \"" + store.name().name() + "\" is Valid, and " + refused + ": its account \""
                        + store.account().name() + "\" is limited to "
                        + (names.isEmpty() ? "certain names" : quoted(names)),
                "The operator does not look at resourceNames when it validates a store. Name every Secret that is"
                        + " read, or none; what is found by labels or patterns needs list without names.");
    }

    private static String quoted(Collection<String> names) {
        return names.stream().map(each -> '"' + each + '"').collect(Collectors.joining(", "));
    }
}
