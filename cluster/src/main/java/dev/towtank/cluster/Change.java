package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.util.Optional;

/// One thing to do to the world, as data.
///
/// What changes an existing object carries the object that the decision was made on: when it has changed meanwhile,
/// the
/// change is refused and the decision made again.
public sealed interface Change {

    /// One line for logs, in which the values of secrets are hidden.
    @Override
    String toString();

    /// For scenarios and other tests: everything but the object that was seen.
    Json.Obj json();

    /// Creates a child. That it is there already is fine when it has the owner that this one would have.
    record Create(Kind<?> kind, Resource object) implements Change {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("create", object.json());
        }

        @Override
        public String toString() {
            return "create " + describe(kind, object) + " " + Redaction.of(kind, object.json());
        }
    }

    /// Creates a child where the server may say no for good, and that is news: then the alternative is carried out,
    /// and
    /// the rest of the plan is not.
    record TryCreate(Kind<?> kind, Resource object, Alternative otherwise) implements Change {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("create", object.json());
        }

        @Override
        public String toString() {
            return "create " + describe(kind, object) + " " + Redaction.of(kind, object.json());
        }
    }

    /// What to do when the server refuses. A value, so that two equal decisions are equal.
    @FunctionalInterface
    interface Alternative {

        /// Tries again.
        Alternative THROW = refusal -> {
            throw refusal;
        };

        Plan after(StatusError refusal);
    }

    /// Sets the given fields by a merge patch, where null takes a field away; all other fields stay.
    record PatchFields(Kind<?> kind, Resource seen, Json.Obj fields) implements Change {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("patch", Json.of(describe(kind, seen)), "fields", fields);
        }

        @Override
        public String toString() {
            return "patch " + describe(kind, seen) + " " + Redaction.of(kind, fields);
        }
    }

    /// Makes the given fields so, and owned by the controller; creates the object where there is none. Fields that it
    /// applied
    /// before and that are no longer given are taken away.
    ///
    /// @param force takes over fields that somebody else owns; otherwise they are a conflict, which the alternative
    /// hears of
    record Apply(Kind<?> kind, Resource object, String manager, boolean force, Alternative otherwise)
            implements Change {

        public Apply(Kind<?> kind, Resource object, String manager) {
            this(kind, object, manager, true, Alternative.THROW);
        }

        @Override
        public Json.Obj json() {
            return Json.Obj.of("apply", object.json());
        }

        @Override
        public String toString() {
            return "apply " + describe(kind, object) + " " + Redaction.of(kind, object.json());
        }
    }

    /// Does something outside of the cluster. In a plan it comes behind the changes that must be written before.
    record Act(Deed deed, Deed.Sequel sequel) implements Change {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("act", deed.json());
        }

        @Override
        public String toString() {
            return "act " + deed.json();
        }
    }

    /// Does what must not be done twice: at most once for this state of the object. That it is about to be done is
    /// written
    /// first, into an annotation; when the process dies in between, it is not known whether it was, and the sequel
    /// hears of
    /// that by a null.
    record ActOnce(Kind<?> kind, Resource seen, Deed deed, Deed.Sequel sequel) implements Change {

        /// What was begun last.
        public static final String ANNOTATION = "towtank.dev/begun";

        @Override
        public Json.Obj json() {
            return Json.Obj.of("actOnce", deed.json());
        }

        @Override
        public String toString() {
            return "act once for " + describe(kind, seen) + " " + deed.json();
        }
    }

    /// Replaces the status.
    record SetStatus(Kind<?> kind, Resource seen, Json.Obj status) implements Change {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("setStatus", Json.of(describe(kind, seen)), "status", status);
        }

        @Override
        public String toString() {
            return "set status of " + describe(kind, seen) + " " + status;
        }
    }

    /// Deletes the very object that was seen, never a newer one of the same name.
    ///
    /// @param graceSeconds how long it may take to end; absent for as long as the object itself says
    record Delete(Kind<?> kind, Resource seen, Optional<Cluster.Propagation> propagation, Optional<Long> graceSeconds)
            implements Change {

        public Delete(Kind<?> kind, Resource seen) {
            this(kind, seen, Optional.empty());
        }

        public Delete(Kind<?> kind, Resource seen, Optional<Cluster.Propagation> propagation) {
            this(kind, seen, propagation, Optional.empty());
        }

        @Override
        public Json.Obj json() {
            var json = Json.Obj.of("delete", Json.of(describe(kind, seen)));
            var whole = propagation
                    .map(policy -> json.with("propagation", Json.of(policy.wire())))
                    .orElse(json);
            return graceSeconds
                    .map(seconds -> whole.with("graceSeconds", Json.of(seconds)))
                    .orElse(whole);
        }

        @Override
        public String toString() {
            return "delete " + describe(kind, seen);
        }
    }

    /// Tells people what happened to an object, as a Kubernetes Event. Belongs to a change, so that it is told once.
    ///
    /// @param reason one CamelCase word
    record Event(Resource about, Severity severity, String reason, String message) implements Change {

        public enum Severity {
            NORMAL("Normal"),
            WARNING("Warning");

            private final String wire;

            Severity(String wire) {
                this.wire = wire;
            }

            public String wire() {
                return wire;
            }
        }

        public static Event normal(Resource about, String reason, String message) {
            return new Event(about, Severity.NORMAL, reason, message);
        }

        public static Event warning(Resource about, String reason, String message) {
            return new Event(about, Severity.WARNING, reason, message);
        }

        @Override
        public Json.Obj json() {
            return Json.Obj.builder()
                    .put("event", severity.wire + " " + reason)
                    .put("about", about.describe())
                    .put("message", message)
                    .build();
        }

        @Override
        public String toString() {
            return "event about " + about.describe() + ": " + severity.wire + " " + reason + ": " + message;
        }
    }

    private static String describe(Kind<?> kind, Resource object) {
        var name = object.name().isEmpty() ? object.metadata().string("generateName") + "*" : object.name();
        return kind.kind() + " " + new ObjectName(object.cluster(), object.namespace(), name);
    }
}
