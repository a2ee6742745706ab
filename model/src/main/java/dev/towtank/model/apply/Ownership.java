package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.apply.Owners.Entry;
import dev.towtank.model.apply.Owners.Owner;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// What an update and an apply do to an object and to the ownership of its fields. Pure.
///
/// @param reset what this endpoint does not write, whatever it is sent, such as the status: nobody comes
///     to own it here
public record Ownership(Shape shape, FieldSet reset) {

    private static final int MAX_UPDATERS = 10;
    private static final String ANCIENT = "ancient-changes";

    /// Owns what an object had before anybody applied to it, where nobody kept account.
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    /// Belongs to the server or to the address of the object; nobody owns it.
    private static final FieldSet UNOWNED = unowned();

    public Ownership(Shape shape) {
        this(shape, FieldSet.EMPTY);
    }

    private static FieldSet unowned() {
        var set =
                FieldSet.ofFields("apiVersion").union(FieldSet.ofFields("kind")).union(FieldSet.ofFields("metadata"));
        for (var field : List.of(
                "name",
                "namespace",
                "creationTimestamp",
                "selfLink",
                "uid",
                "clusterName",
                "generation",
                "managedFields",
                "resourceVersion")) {
            set = set.union(FieldSet.ofFields("metadata", field));
        }
        return set;
    }

    /// The object to store when somebody has written all of it, by a create, an update or a patch: as it
    /// was written, with its owners. The writer owns what it changed; what is gone has no owner.
    ///
    /// @param live empty on a create
    public Json.Obj update(Json.Obj live, Json.Obj written, Writer writer, Instant now) {
        var owners = Owners.ofUpdate(live, written, !writer.subresource().isEmpty());
        // An object that lost its owners stays without until somebody applies.
        boolean untracked = owners.isEmpty() && !live.string("metadata", "uid").isEmpty();
        return untracked
                ? Owners.removedFrom(written)
                : update(live, written, owners, writer, now).on(written);
    }

    private Owners update(Json.Obj live, Json.Obj written, Owners owners, Writer writer, Instant now) {
        var comparison = compare(Owners.removedFrom(live), Owners.removedFrom(written));
        var changed = comparison.all();
        var rest = owners.map((_, fields) -> fields.settled(shape).difference(changed));
        var taken = comparison.written().difference(UNOWNED);
        if (!taken.isEmpty()) {
            var owner = writer.updater();
            var fields = taken.union(rest.fields(owner));
            rest = rest.with(owner, new Entry(fields, writer.apiVersion(), timestamp(now)));
        }
        return rest.capped(MAX_UPDATERS, ANCIENT);
    }

    private Comparison compare(Json.Obj live, Json.Obj changed) {
        return Comparison.of(live, changed, shape).without(reset);
    }

    private static String timestamp(Instant now) {
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// The object to store when somebody applies a configuration, with its owners: what the configuration
    /// names becomes the applier's; what the applier named before and nobody owns any more is gone. Equal
    /// to the live object when there is nothing to do.
    ///
    /// @param live empty on a create
    /// @throws StatusError Conflict when another owner's value would change and that is not forced;
    ///     BadRequest when the configuration cannot be applied at all
    public Json.Obj apply(Json.Obj live, Json.Obj applied, Writer writer, boolean force, Instant now) {
        refuseUnusable(applied, writer);
        var base = Owners.removedFrom(live);
        var owners = Owners.of(live);
        if (owners.isEmpty()) {
            owners = update(Json.Obj.EMPTY, base, Owners.NONE, writer.named(BEFORE_FIRST_APPLY), now);
        }
        owners = owners.map((_, fields) -> fields.settled(shape));
        var applier = writer.applier();
        var last = owners.fields(applier);
        var wanted = Trees.fields(applied, shape).recursiveDifference(reset);
        var claimed = owners.with(applier, new Entry(wanted, writer.apiVersion(), owners.time(applier)));
        var merged = prune(Trees.merge(base, applied, shape), claimed, last);
        var comparison = compare(base, merged);
        var conflicts = Conflicts.of(claimed, applier, comparison.written());
        if (!force && !conflicts.isEmpty()) {
            refuse(conflicts.without(LastApplied.allowed(base, shape, writer)));
        }
        var settled = settle(claimed, applier, comparison);
        var time = merged.equals(base) ? owners.time(applier) : timestamp(now);
        settled = settled.with(applier, new Entry(settled.fields(applier), writer.apiVersion(), time));
        return settled.on(LastApplied.refreshed(merged, applied, writer));
    }

    private static Owners settle(Owners claimed, Owner applier, Comparison comparison) {
        return claimed.map((owner, fields) ->
                owner.equals(applier) ? fields.difference(UNOWNED) : fields.difference(comparison.all()));
    }

    private static void refuse(Conflicts conflicts) {
        if (!conflicts.isEmpty()) {
            throw conflicts.error();
        }
    }

    private void refuseUnusable(Json.Obj applied, Writer writer) {
        var apiVersion = applied.string("apiVersion");
        if (!apiVersion.isEmpty() && !apiVersion.equals(writer.apiVersion())) {
            throw StatusError.badRequest("Incorrect version specified in apply patch. Specified patch version: "
                    + apiVersion + ", expected: " + writer.apiVersion());
        }
        if (applied.at("metadata", "managedFields") instanceof Json.Arr) {
            throw StatusError.badRequest("metadata.managedFields must be nil");
        }
        var problems = Trees.problems(applied, shape);
        if (!problems.isEmpty()) {
            var all = problems.size() == 1 ? problems.getFirst() : "errors:\n  " + String.join("\n  ", problems);
            throw StatusError.badRequest(
                    "failed to create typed patch object (" + applied.string("metadata", "namespace")
                            + "/" + applied.string("metadata", "name") + "; " + writer.apiVersion() + ", Kind="
                            + applied.string("kind") + "): " + all);
        }
    }

    /// Takes away what the applier owned and no longer applies, unless somebody else owns it or something
    /// below it.
    private Json.Obj prune(Json.Obj merged, Owners owners, FieldSet last) {
        if (last.isEmpty()) {
            return merged;
        }
        var owned = UNOWNED;
        for (var owner : owners.all()) {
            owned = owned.union(owners.fields(owner));
        }
        var all = named(merged);
        var lastNamed = last.withNamedFields(shape);
        var kept = named(Trees.remove(merged, lastNamed, shape)).union(owned.withNamedFields(shape));
        var withOwned = Trees.remove(merged, all.difference(kept), shape);
        return Trees.remove(merged, all.difference(named(withOwned)).intersection(lastNamed), shape);
    }

    private FieldSet named(Json.Obj object) {
        return Trees.fields(object, shape).withNamedFields(shape);
    }
}
