package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Decides which names a definition gets, and whether its kinds are served.
public final class CrdStatus {

    private CrdStatus() {}

    /// The new status of a definition; equal to the old one where nothing changes.
    ///
    /// @param others the other definitions of its cluster; those of the same group have a say
    public static Json.Obj compute(Json.Obj crd, List<Json.Obj> others, Instant now) {
        var naming = new Naming(crd, others);
        naming.decide();
        var status = crd.object("status");
        var conditions = status.array("conditions");
        conditions = set(
                conditions, "NamesAccepted", naming.reason.equals("NoConflicts"), naming.reason, naming.message, now);
        if (!isTrue(crd, "Established")) {
            conditions = naming.reason.equals("NoConflicts")
                    ? set(
                            conditions,
                            "Established",
                            true,
                            "InitialNamesAccepted",
                            "the initial names have been accepted",
                            now)
                    : set(conditions, "Established", false, "NotAccepted", "not all names are accepted", now);
        }
        conditions = approval(conditions, ApprovalPolicy.of(crd), now);
        return status.with("conditions", conditions)
                .with("acceptedNames", naming.accepted)
                .with("storedVersions", storedVersions(crd));
    }

    /// The status of a definition while its objects go.
    public static Json.Obj terminating(Json.Obj crd, Instant now) {
        var conditions = set(
                crd.array("status", "conditions"),
                "Terminating",
                true,
                "InstanceDeletionInProgress",
                "CustomResource deletion is in progress",
                now);
        return crd.object("status").with("conditions", conditions);
    }

    public static boolean isTerminating(Json.Obj crd) {
        return isTrue(crd, "Terminating");
    }

    /// Whether a definition got every name it asks for.
    public static boolean hasItsNames(Json.Obj crd) {
        return isTrue(crd, "NamesAccepted");
    }

    /// Whether the kinds of a definition are served.
    public static boolean isEstablished(Json.Obj crd) {
        return isTrue(crd, "Established");
    }

    static boolean isTrue(Json.Obj crd, String condition) {
        return crd.objects("status", "conditions").stream()
                .anyMatch(each -> each.string("type").equals(condition)
                        && each.string("status").equals("True"));
    }

    private static Json.Arr storedVersions(Json.Obj crd) {
        var stored = crd.array("status", "storedVersions");
        var storage = CrdKinds.storageVersion(crd);
        return storage.isEmpty() || stored.strings().contains(storage) ? stored : stored.plus(Json.of(storage));
    }

    private static Json.Arr approval(Json.Arr conditions, ApprovalPolicy policy, Instant now) {
        var type = "KubernetesAPIApprovalPolicyConformant";
        return switch (policy.state()) {
            case UNPROTECTED -> conditions;
            case APPROVED -> set(conditions, type, true, "ApprovedAnnotation", policy.reason(), now);
            case BYPASSED -> set(conditions, type, false, "UnapprovedAnnotation", policy.reason(), now);
            case MISSING -> set(conditions, type, false, "MissingAnnotation", policy.reason(), now);
            case INVALID -> set(conditions, type, false, "InvalidAnnotation", policy.reason(), now);
        };
    }

    private static Json.Arr set(
            Json.Arr conditions, String type, boolean holds, String reason, String message, Instant now) {
        var status = holds ? "True" : "False";
        var changed = new ArrayList<Json>();
        boolean found = false;
        for (var condition : conditions.objects()) {
            if (condition.string("type").equals(type)) {
                found = true;
                boolean same = condition.string("status").equals(status);
                changed.add(condition(
                        type, status, reason, message, same ? condition.string("lastTransitionTime") : time(now)));
            } else {
                changed.add(condition);
            }
        }
        if (!found) {
            changed.add(condition(type, status, reason, message, time(now)));
        }
        return new Json.Arr(changed);
    }

    private static String time(Instant now) {
        return Timestamps.seconds(now);
    }

    private static Json condition(String type, String status, String reason, String message, String since) {
        return Json.Obj.builder()
                .put("lastTransitionTime", since)
                .put("message", message)
                .put("reason", reason)
                .put("status", status)
                .put("type", type)
                .build();
    }

    /// Goes through the names that a definition wants; the last conflict is the one that is reported.
    private static final class Naming {
        private final Json.Obj wanted;
        private final Set<String> resources = new HashSet<>();
        private final Set<String> kinds = new HashSet<>();
        private Json.Obj accepted;
        private String reason = "NoConflicts";
        private String message = "no conflicts found";

        Naming(Json.Obj crd, List<Json.Obj> others) {
            wanted = crd.object("spec", "names");
            accepted = crd.object("status", "acceptedNames");
            take(accepted);
            for (var other : others) {
                if (other.string("spec", "group").equals(crd.string("spec", "group"))) {
                    take(other.object("status", "acceptedNames"));
                }
            }
            resources.remove("");
            kinds.remove("");
        }

        private void take(Json.Obj names) {
            resources.add(names.string("plural"));
            resources.add(names.string("singular"));
            resources.addAll(names.array("shortNames").strings());
            kinds.add(names.string("kind"));
            kinds.add(names.string("listKind"));
        }

        void decide() {
            name("plural", "PluralConflict", resources);
            name("singular", "SingularConflict", resources);
            shortNames();
            name("kind", "KindConflict", kinds);
            name("listKind", "ListKindConflict", kinds);
            var categories = wanted.array("categories");
            accepted = accepted.withOrWithout("categories", categories.size() == 0 ? null : categories);
        }

        private void name(String field, String conflict, Set<String> taken) {
            var name = wanted.string(field);
            if (!name.equals(accepted.string(field)) && taken.contains(name)) {
                reason = conflict;
                message = Json.of(name) + " is already in use";
            } else if (!name.isEmpty()) {
                accepted = accepted.with(field, Json.of(name));
            }
        }

        private void shortNames() {
            var mine = accepted.array("shortNames").strings();
            var conflicts = wanted.array("shortNames").strings().stream()
                    .filter(name -> !mine.contains(name) && resources.contains(name))
                    .map(name -> Json.of(name) + " is already in use")
                    .distinct()
                    .toList();
            if (conflicts.isEmpty()) {
                var names = wanted.array("shortNames");
                accepted = accepted.withOrWithout("shortNames", names.size() == 0 ? null : names);
            } else {
                reason = "ShortNamesConflict";
                message = conflicts.size() == 1 ? conflicts.getFirst() : "[" + String.join(", ", conflicts) + "]";
            }
        }
    }
}
