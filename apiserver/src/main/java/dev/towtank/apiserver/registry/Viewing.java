package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Get and list of objects that are worked out.
final class Viewing {

    private final Store store;
    private final Map<GroupResource, View> views;

    Viewing(Store store, Map<GroupResource, View> views) {
        this.store = store;
        this.views = Map.copyOf(views);
    }

    /// The answer, where the kind is one of these.
    Optional<Answer> answer(Call call, Served served) {
        return Optional.ofNullable(views.get(served.kind().resource())).map(view -> answer(call, served, view));
    }

    private Answer answer(Call call, Served served, View view) {
        if (!call.target().subresource().isEmpty()) {
            throw StatusError.notServed();
        }
        return switch (call.verb()) {
            case GET -> get(call, served, view);
            case LIST -> list(call, served, view);
            case WATCH -> throw StatusError.notAllowedThere();
            case CREATE, UPDATE, PATCH, DELETE, DELETECOLLECTION ->
                throw new StatusError(StatusError.Reason.METHOD_NOT_ALLOWED, view.whyNotWritten());
        };
    }

    private static Answer get(Call call, Served served, View view) {
        var name = call.target().name();
        return view.objects(call.cluster(), call.target().namespace()).stream()
                .filter(object -> object.string("metadata", "name").equals(name))
                .findFirst()
                .<Answer>map(found -> new Answer.One(200, Optional.of(served.kind()), Content.of(found), List.of()))
                .orElseThrow(() -> StatusError.notFound(served.kind().resource(), name));
    }

    private Answer list(Call call, Served served, View view) {
        var selectors = Selectors.of(call, served.kind());
        var items = view.objects(call.cluster(), call.target().namespace()).stream()
                .filter(selectors::matches)
                .map(Content::of)
                .toList();
        return new Answer.Many(served.kind(), store.revision(), items, "", Optional.empty(), List.of());
    }
}
