package dev.towtank.apiserver.admission.extension;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Conversion;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Optional;

/// The surroundings that a server's store and catalog are.
public final class ServedSurroundings implements Surroundings {

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    private final Store store;
    private final Catalog catalog;

    public ServedSurroundings(Store store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    @Override
    public Optional<Json.Obj> namespace(LogicalCluster cluster, String name) {
        return Optional.ofNullable(store.get(new Key(NAMESPACES, cluster, "", name)))
                .map(stored -> stored.tree());
    }

    @Override
    public List<Form> equivalents(Subject subject) {
        var form = subject.form();
        return served(subject.cluster(), form).stream()
                .flatMap(mine -> catalog.served(subject.cluster()).stream()
                        .filter(other -> other.storage().equals(mine.storage()) && !other.equals(mine)))
                .map(other -> form(subject, other))
                .toList();
    }

    // A subresource with a kind of its own has the same one in all versions.
    private static Form form(Subject subject, Served other) {
        var kind = other.kind();
        var asked = subject.form();
        return isOfOwnKind(subject)
                ? new Form(
                        kind.group(),
                        kind.version(),
                        kind.plural(),
                        asked.kindGroup(),
                        asked.kindVersion(),
                        asked.kind())
                : new Form(kind.group(), kind.version(), kind.plural(), kind.group(), kind.version(), kind.kind());
    }

    private static boolean isOfOwnKind(Subject subject) {
        return switch (subject.subresource()) {
            case "", "status", "finalize" -> false;
            default -> true;
        };
    }

    @Override
    public Json.Obj convert(Subject subject, Json.Obj object, Form to) {
        if (to.equals(subject.form()) || isOfOwnKind(subject)) {
            return object;
        }
        var stored = conversion(subject, subject.form()).toStored(object);
        return conversion(subject, to).fromStored(stored);
    }

    @Override
    public Json.Obj convertBack(Subject subject, Json.Obj object, Form from) {
        if (from.equals(subject.form()) || isOfOwnKind(subject)) {
            return object;
        }
        var stored = conversion(subject, from).toStored(object);
        return conversion(subject, subject.form()).fromStored(stored);
    }

    private Conversion conversion(Subject subject, Form form) {
        return served(subject.cluster(), form).map(Served::conversion).orElse(Conversion.NONE);
    }

    private Optional<Served> served(LogicalCluster cluster, Form form) {
        return catalog.find(cluster, form.group(), form.version(), form.resource());
    }
}
