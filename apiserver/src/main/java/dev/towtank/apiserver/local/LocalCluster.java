package dev.towtank.apiserver.local;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The API as one user of this process sees it.
public final class LocalCluster implements Cluster {

    private final Api api;
    private final User user;
    private final String agent;

    public LocalCluster(Api api, User user) {
        this.api = api;
        this.user = user;
        this.agent = user.name().substring(user.name().lastIndexOf(':') + 1);
    }

    @Override
    public Optional<Resource> get(Kind<?> kind, ObjectName name) {
        try {
            return Optional.of(one(call(Verb.GET, name.cluster(), target(kind, name, ""), Params.NONE, NONE)));
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.NOT_FOUND)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public Listing list(Kind<?> kind, Selection selection) {
        var answer = handle(Verb.LIST, kind, selection, params(selection));
        if (!(answer instanceof Answer.Many many)) {
            throw unexpected(answer);
        }
        var items = many.items().stream().map(LocalCluster::resource).toList();
        return new Listing(Long.toString(many.revision()), items);
    }

    @Override
    public Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion) {
        var params = params(selection);
        params.put("resourceVersion", List.of(afterResourceVersion));
        params.put("watch", List.of("true"));
        var answer = handle(Verb.WATCH, kind, selection, params);
        if (!(answer instanceof Answer.Watching watching)) {
            throw unexpected(answer);
        }
        return new LocalWatch(watching.stream());
    }

    private Answer handle(Verb verb, Kind<?> kind, Selection selection, Map<String, List<String>> params) {
        var target = new Target(
                kind.group(),
                kind.version(),
                kind.plural(),
                selection.namespace().orElse(""),
                "",
                "");
        return api.handle(
                new Call(user, selection.cluster().orElse(LogicalCluster.ALL), verb, target, new Params(params), NONE));
    }

    private static Map<String, List<String>> params(Selection selection) {
        var params = new HashMap<String, List<String>>();
        if (!selection.labels().isEmpty()) {
            params.put("labelSelector", List.of(selection.labels()));
        }
        if (!selection.fields().isEmpty()) {
            params.put("fieldSelector", List.of(selection.fields()));
        }
        return params;
    }

    @Override
    public Resource create(Kind<?> kind, Resource object, WriteOptions options) {
        return one(api.handle(creation(kind, object, options)));
    }

    @Override
    public boolean createTogether(Kind<?> kind, List<Resource> objects, WriteOptions options) {
        return api.together(objects.stream()
                        .map(object -> creation(kind, object, options))
                        .toList())
                .isPresent();
    }

    private Call creation(Kind<?> kind, Resource object, WriteOptions options) {
        var target = new Target(
                kind.group(),
                kind.version(),
                kind.plural(),
                object.namespace(),
                options.subresource().isEmpty() ? "" : object.name(),
                options.subresource());
        var body = Body.of(object.json());
        return new Call(user, object.cluster(), Verb.CREATE, target, params(options), body, agent, Notes.NONE);
    }

    @Override
    public Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        var target = target(kind, ObjectName.of(object), options.subresource());
        return one(call(Verb.UPDATE, object.cluster(), target, params(options), Body.of(object.json())));
    }

    @Override
    public Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
        var body = new Body.Tree(patch.mediaType(), patch.body());
        return one(call(Verb.PATCH, name.cluster(), target(kind, name, options.subresource()), params(options), body));
    }

    @Override
    public void delete(Kind<?> kind, ObjectName name, DeleteOptions options) {
        call(Verb.DELETE, name.cluster(), target(kind, name, ""), Params.NONE, Body.of(options.json()));
    }

    @Override
    public boolean hasLogicalClusters() {
        return true;
    }

    private static final Body NONE = Body.None.NONE;

    private static Params params(WriteOptions options) {
        var params = new HashMap<String, List<String>>();
        if (!options.fieldManager().isEmpty()) {
            params.put("fieldManager", List.of(options.fieldManager()));
        }
        if (options.dryRun()) {
            params.put("dryRun", List.of("All"));
        }
        if (options.force()) {
            params.put("force", List.of("true"));
        }
        if (options.strict()) {
            params.put("fieldValidation", List.of("Strict"));
        }
        return new Params(params);
    }

    private static Target target(Kind<?> kind, ObjectName name, String subresource) {
        return new Target(kind.group(), kind.version(), kind.plural(), name.namespace(), name.name(), subresource);
    }

    private Answer call(Verb verb, LogicalCluster cluster, Target target, Params params, Body body) {
        return api.handle(new Call(user, cluster, verb, target, params, body, agent, Notes.NONE));
    }

    private static Resource one(Answer answer) {
        if (answer instanceof Answer.One one) {
            return resource(one.object());
        }
        throw unexpected(answer);
    }

    static Resource resource(Content content) {
        return Resource.kept(content.cluster(), content::tree);
    }

    private static IllegalStateException unexpected(Answer answer) {
        return new IllegalStateException(
                "unexpected answer " + answer.getClass().getSimpleName());
    }
}
