package dev.towtank.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a kind asks of its objects beyond their shape. Pure: the same object in, the same answer out.
///
/// The order on a write is: prepare, defaults, (admission), validate. Every method has a harmless default, so a kind
/// names only what is special about it. Common metadata is not their business: the server checks it for every kind.
public interface Rules {

    Rules NONE = new Rules() {};

    /// Takes away the fields that the kind does not have; the very same object where there are none.
    ///
    /// @param unknownField is told the path of each field that goes
    default Json.Obj prune(Json.Obj object, Consumer<String> unknownField) {
        return object;
    }

    /// Fills in the fields that the user left out.
    default Json.Obj defaults(Json.Obj object) {
        return object;
    }

    /// Brings a new object into its stored form: takes away what users may not set, converts write-only fields.
    ///
    /// For kinds with a status subresource the server has already dropped `status`, unless the kind
    /// [keeps it][#keepsStatusOnCreate].
    default Json.Obj prepareCreate(Json.Obj object) {
        return object;
    }

    /// Whether a new object may come with a status, as nodes do when they register themselves.
    default boolean keepsStatusOnCreate() {
        return false;
    }

    /// Likewise for an update; `old` is what is stored.
    default Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
        return object;
    }

    default void validate(Json.Obj object, FieldError.Collector errors) {}

    /// What only a new object must not do; called in addition to [#validate].
    default void validateCreate(Json.Obj object, FieldError.Collector errors) {}

    /// What an update must not do; called in addition to [#validate].
    default void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {}

    /// What a write of another part of the object with an address of its own must not do; called in addition to
    /// [#validate].
    default void validatePart(String subresource, Json.Obj object, Json.Obj old, FieldError.Collector errors) {}

    /// What an update of the status subresource must not do.
    default void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {}

    /// A refusal in the words of the kind's authors, asked for before any other check.
    default Optional<StatusError> unreadable(Json.Obj object) {
        return Optional.empty();
    }

    /// A refusal in the words of the kind's authors, asked for when every other check has passed.
    ///
    /// @param old what is stored, or null where the object is new
    default Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        return Optional.empty();
    }

    /// Advice that a client shows and ignores: deprecated fields, duplicate entries that are accepted.
    default List<String> warnings(Json.Obj object) {
        return List.of();
    }

    /// Advice against the whole kind in this version, for those who read it, too.
    default List<String> deprecation(Kind<?> kind) {
        return List.of();
    }

    /// The rule for `metadata.name`; most kinds take DNS subdomains.
    default Names.Rule nameRule() {
        return Names.Rule.DNS_SUBDOMAIN;
    }

    /// Fields besides `metadata.name` and `metadata.namespace` that a field selector may name.
    default Map<String, Function<Json.Obj, String>> selectableFields() {
        return Map.of();
    }

    /// Whether a plain update without a resourceVersion may overwrite whatever is there.
    default boolean allowsUnconditionalUpdate() {
        return true;
    }

    /// Whether PUT on a name that does not exist creates it.
    default boolean allowsCreateOnUpdate() {
        return false;
    }

    /// Whether a change outside metadata and status raises `metadata.generation`.
    default boolean countsGenerations() {
        return false;
    }

    /// Whether a change of annotations does so, too.
    default boolean countsAnnotations() {
        return false;
    }

    /// Whether a change of labels does so, too.
    default boolean countsLabels() {
        return false;
    }

    /// A new object as far as whoever created it wrote it, defaults included: nobody owns what the server filled in.
    ///
    /// @param object with all that is filled in
    /// @param given as the client sent it
    default Json.Obj asCreated(Json.Obj object, Json.Obj given) {
        return object;
    }

    /// Fields of metadata that a write of the status leaves as they are; all others it writes as well.
    default Set<String> metadataKeptByStatus() {
        return Set.of();
    }

    /// Fields of metadata that nobody comes to own by a write of the status.
    default Set<String> metadataUnownedByStatus() {
        return metadataKeptByStatus();
    }

    /// How many seconds an ordinary deletion leaves the object to end in peace; 0 deletes at once.
    default long deletionGraceSeconds(Json.Obj object) {
        return 0;
    }

    /// Something besides `metadata.finalizers` that still keeps a deleted object, as a namespace's own finalizers do.
    default boolean keepsWhileDeleting(Json.Obj object) {
        return false;
    }

    /// What changes on the object when its deletion begins, besides its metadata.
    default Json.Obj beginDeletion(Json.Obj object) {
        return object;
    }

    /// Whether a deletion answers with the object; most kinds answer with a Status.
    default boolean returnsDeletedObject() {
        return false;
    }

    /// Whether dependents stay when the deletion does not say what becomes of them.
    default boolean orphansByDefault() {
        return false;
    }

    /// What to tell somebody whose deletion does not say what becomes of dependents.
    default List<String> warningsOnDeletion() {
        return List.of();
    }
}
