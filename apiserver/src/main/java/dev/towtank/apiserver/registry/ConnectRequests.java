package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.ObjectBuilder;
import java.util.List;

/// Requests that connect to a pod, as admission sees them: their parameters are the object.
final class ConnectRequests {

    private ConnectRequests() {}

    static Review review(Call call) {
        var target = call.target();
        var options = options(target.subresource(), target.resource().equals("services"), call.params());
        var kind = Kind.namespaced("", "v1", options.string("kind"), target.resource());
        return new Review(
                call,
                kind,
                Review.Operation.CONNECT,
                target.namespace(),
                target.name(),
                target.subresource(),
                options,
                null);
    }

    private static Json.Obj options(String subresource, boolean isService, Params params) {
        return switch (subresource) {
            case "portforward" -> {
                var ports = params.all("ports").stream()
                        .flatMap(each -> List.of(each.split(",", -1)).stream())
                        .toList();
                yield of("PodPortForwardOptions")
                        .putNonEmpty("ports", numbers(ports))
                        .build();
            }
            case "proxy" ->
                of(isService ? "ServiceProxyOptions" : "PodProxyOptions")
                        .putNonEmpty("path", params.text("path"))
                        .build();
            default -> streams(subresource.equals("attach") ? "PodAttachOptions" : "PodExecOptions", params);
        };
    }

    private static Json.Obj streams(String kind, Params params) {
        var options = of(kind);
        for (var flag : List.of("stdin", "stdout", "stderr", "tty")) {
            if (params.flag(flag)) {
                options.put(flag, true);
            }
        }
        return options.putNonEmpty("container", params.text("container"))
                .putNonEmpty("command", Json.Arr.ofStrings(params.all("command")))
                .build();
    }

    private static ObjectBuilder of(String kind) {
        return Json.Obj.builder().put("kind", kind).put("apiVersion", "v1");
    }

    private static Json.Arr numbers(List<String> texts) {
        return new Json.Arr(texts.stream()
                .filter(text -> text.matches("[0-9]{1,5}"))
                .<Json>map(text -> Json.of(Long.parseLong(text)))
                .toList());
    }
}
