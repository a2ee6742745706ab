package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.Timestamps;
import dev.towtank.model.apply.Owners.Entry;
import dev.towtank.model.apply.Owners.Owner;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/// What an update and an apply do to an object and to the ownership of its fields. Pure.
///
/// What somebody owns is said in the version in which they wrote. Where that is not the version of the
/// request, what happens to the object is looked at in both.
///
/// @param reset what this endpoint does not write, whatever it is sent, such as the status: nobody comes
///     to own it here
public record Ownership(Versions versions, FieldSet reset) {

    private static final int MAX_UPDATERS = 10;
    private static final String ANCIENT = "ancient-changes";

    /// Owns what an object had before anybody applied to it, where nobody kept account.
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    /// Belongs to the server or to the address of the object; nobody owns it.
    private static final FieldSet UNOWNED = unowned();

    public Ownership(Versions versions) {
        this(versions, FieldSet.EMPTY);
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
                : ownersAfter(live, written, owners, writer, now).on(written);
    }

    private Owners ownersAfter(Json.Obj live, Json.Obj written, Owners owners, Writer writer, Instant now) {
        try {
            return update(live, written, owners, writer, now);
        } catch (StatusError _) {
            // A converter that cannot be asked keeps nobody from writing, only from being written down.
            return Owners.of(live);
        }
    }

    private Owners update(Json.Obj live, Json.Obj written, Owners owners, Writer writer, Instant now) {
        var comparisons = comparisons(Owners.removedFrom(live), Owners.removedFrom(written), writer.apiVersion());
        var rest = settled(owners)
                .map((_, entry) -> entry.fields()
                        .difference(comparisons.apply(entry.apiVersion()).all()));
        var taken = comparisons.apply(writer.apiVersion()).written().difference(UNOWNED);
        if (!taken.isEmpty()) {
            var owner = writer.updater();
            var fields = taken.union(rest.entry(owner).fields());
            rest = rest.with(owner, new Entry(fields, writer.apiVersion(), timestamp(now)));
        }
        return rest.capped(MAX_UPDATERS, ANCIENT);
    }

    /// The owners as the schemas of today tell fields apart; who owned fields of a version that is no more
    /// owns nothing.
    private Owners settled(Owners owners) {
        return owners.map((_, entry) ->
                versions.shape(entry.apiVersion()).map(entry.fields()::settled).orElse(FieldSet.EMPTY));
    }

    /// What changed from one object to another, by the version in which one looks at them.
    ///
    /// @param apiVersion of both
    private Function<String, Comparison> comparisons(Json.Obj live, Json.Obj changed, String apiVersion) {
        var known = new HashMap<String, Comparison>();
        return version -> known.computeIfAbsent(
                version,
                each -> Comparison.of(
                                converted(live, apiVersion, each), converted(changed, apiVersion, each), shape(each))
                        .without(reset));
    }

    private Json.Obj converted(Json.Obj object, String from, String to) {
        return from.equals(to) || object.isEmpty() ? object : versions.convert(object, to);
    }

    private Shape shape(String apiVersion) {
        return versions.shape(apiVersion)
                .orElseThrow(() -> new IllegalArgumentException("no version of this kind: " + apiVersion));
    }

    private static String timestamp(Instant now) {
        return Timestamps.seconds(now);
    }

    /// The object to store when somebody applies a configuration, with its owners: what the configuration
    /// names becomes the applier's; what the applier named before and nobody owns any more is gone. Equal
    /// to the live object when there is nothing to do.
    ///
    /// @param live empty on a create
    /// @throws StatusError Conflict when another owner's value would change and that is not forced;
    ///     BadRequest when the configuration cannot be applied at all; whatever keeps the object from being
    ///     converted to the version of another owner
    public Json.Obj apply(Json.Obj live, Json.Obj applied, Writer writer, boolean force, Instant now) {
        var apiVersion = writer.apiVersion();
        var shape = shape(apiVersion);
        refuseUnusable(applied, shape, writer);
        var base = Owners.removedFrom(live);
        var owners = Owners.of(live);
        if (owners.isEmpty()) {
            owners = update(Json.Obj.EMPTY, base, Owners.NONE, writer.named(BEFORE_FIRST_APPLY), now);
        }
        owners = settled(owners);
        var applier = writer.applier();
        var last = owners.entry(applier);
        var wanted = OwnedTrees.fields(applied, shape).recursiveDifference(reset);
        var claimed = owners.with(applier, new Entry(wanted, apiVersion, last.time()));
        var merged = prune(OwnedTrees.merge(base, applied, shape), apiVersion, claimed, last);
        var comparisons = comparisons(base, merged, apiVersion);
        var conflicts = Conflicts.of(claimed, applier, comparisons);
        if (!force && !conflicts.isEmpty()) {
            refuse(conflicts.without(LastApplied.allowed(base, shape, writer)));
        }
        var kept = settle(claimed, applier, comparisons);
        var time = merged.equals(base) ? last.time() : timestamp(now);
        kept = kept.with(applier, new Entry(kept.entry(applier).fields(), apiVersion, time));
        return kept.on(LastApplied.refreshed(merged, applied, writer));
    }

    private static Owners settle(Owners claimed, Owner applier, Function<String, Comparison> comparisons) {
        return claimed.map((owner, entry) -> entry.fields()
                .difference(
                        owner.equals(applier)
                                ? UNOWNED
                                : comparisons.apply(entry.apiVersion()).all()));
    }

    private static void refuse(Conflicts conflicts) {
        if (!conflicts.isEmpty()) {
            throw conflicts.error();
        }
    }

    private static void refuseUnusable(Json.Obj applied, Shape shape, Writer writer) {
        var apiVersion = applied.string("apiVersion");
        if (!apiVersion.isEmpty() && !apiVersion.equals(writer.apiVersion())) {
            throw StatusError.badRequest("Incorrect version specified in apply patch. Specified patch version: "
                    + apiVersion + ", expected: " + writer.apiVersion());
        }
        if (applied.at("metadata", "managedFields") instanceof Json.Arr) {
            throw StatusError.badRequest("metadata.managedFields must be nil");
        }
        var problems = OwnedTrees.problems(applied, shape);
        if (!problems.isEmpty()) {
            var all = problems.size() == 1 ? problems.getFirst() : "errors:\n  " + String.join("\n  ", problems);
            throw new StatusError(
                    StatusError.Reason.UNKNOWN,
                    "failed to create typed patch object (" + applied.string("metadata", "namespace")
                            + "/" + applied.string("metadata", "name") + "; " + groupVersion(writer) + ", Kind="
                            + applied.string("kind") + "): " + all);
        }
    }

    /// The core group has no name, and its slash all the same.
    private static String groupVersion(Writer writer) {
        return writer.apiVersion().contains("/") ? writer.apiVersion() : "/" + writer.apiVersion();
    }

    /// Takes away what the applier owned and no longer applies, unless somebody else owns it or something
    /// below it.
    private Json.Obj prune(Json.Obj merged, String apiVersion, Owners owners, Entry last) {
        if (last.fields().isEmpty()) {
            return merged;
        }
        var shape = shape(last.apiVersion());
        var all = converted(merged, apiVersion, last.apiVersion());
        var lastNamed = last.fields().withNamedFields(shape);
        var kept = withOwned(all, OwnedTrees.remove(all, lastNamed, shape), last.apiVersion(), owners);
        var gone = named(all, shape).difference(named(kept, shape)).intersection(lastNamed);
        return gone.isEmpty() ? merged : converted(OwnedTrees.remove(all, gone, shape), last.apiVersion(), apiVersion);
    }

    /// What is left of an object, and what else of it has an owner.
    ///
    /// @param apiVersion of both; what is owned in it comes back first, since the converter may need it
    private Json.Obj withOwned(Json.Obj object, Json.Obj left, String apiVersion, Owners owners) {
        var owned = new LinkedHashMap<String, FieldSet>();
        owned.put(apiVersion, UNOWNED);
        owners.forEach((_, entry) -> owned.merge(entry.apiVersion(), entry.fields(), FieldSet::union));
        var at = apiVersion;
        var all = object;
        var kept = left;
        for (var version : owned.keySet()) {
            var shape = shape(version);
            all = converted(all, at, version);
            kept = converted(kept, at, version);
            var fields = named(kept, shape)
                    .union(owned.getOrDefault(version, FieldSet.EMPTY).withNamedFields(shape));
            kept = OwnedTrees.remove(all, named(all, shape).difference(fields), shape);
            at = version;
        }
        return converted(kept, at, apiVersion);
    }

    private static FieldSet named(Json.Obj object, Shape shape) {
        return OwnedTrees.fields(object, shape).withNamedFields(shape);
    }
}
