package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Optional;

/// What can be asked of a pod besides reading and writing it.
final class PodRequests {

    private final Commits commits;
    private final Reading reading;

    PodRequests(Commits commits, Reading reading) {
        this.commits = commits;
        this.reading = reading;
    }

    /// What is posted to a subresource of a pod must name that pod.
    static void checkIdentity(Call call, Json.Obj posted, String kind) {
        var namespace = posted.string("metadata", "namespace");
        if (!namespace.isEmpty() && !namespace.equals(call.target().namespace())) {
            throw StatusError.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (!posted.string("metadata", "name").equals(call.target().name())) {
            throw StatusError.badRequest("name in URL does not match name in " + kind + " object");
        }
    }

    // To admission, what is posted to a subresource is created, though it is stored nowhere.
    static Review creation(Call call, Kind<?> kind, Json.Obj object) {
        var target = call.target();
        return new Review(
                call,
                kind,
                Review.Operation.CREATE,
                target.namespace(),
                target.name(),
                target.subresource(),
                object,
                null);
    }

    /// Logs, exec, attach, port-forward: they need the pod's node.
    Answer connect(Call call, Served served) {
        var found = reading.find(call, served);
        var pod = Reading.view(found, served);
        boolean isLog = call.target().subresource().equals("log");
        if (!isLog) {
            commits.check(ConnectRequests.review(call));
        }
        if (!isLog && pod.string("spec", "nodeName").isEmpty()) {
            throw StatusError.badRequest("pod " + call.target().name() + " does not have a host assigned");
        }
        return new Answer.Connected(new Resource(found.cluster(), pod), List.of());
    }

    static Answer success(int code) {
        var status = Json.Obj.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", Json.Obj.EMPTY)
                .put("status", "Success")
                .put("code", code)
                .build();
        return new Answer.One(code, Optional.empty(), Content.of(status), List.of());
    }
}
