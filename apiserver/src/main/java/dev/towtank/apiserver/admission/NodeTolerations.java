package dev.towtank.apiserver.admission;

import dev.towtank.model.Json;
import java.util.List;

/// Pods stay five minutes on a node that is not ready, unless they say otherwise: most such nodes come back.
public final class NodeTolerations implements Admission {

    private static final long SECONDS = 300;
    private static final List<String> TAINTS =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (!review.isWholeObject("", "Pod")) {
            return object;
        }
        var tolerations = object.array("spec", "tolerations");
        var given = tolerations.objects();
        for (var taint : TAINTS) {
            if (given.stream().noneMatch(toleration -> tolerates(toleration, taint))) {
                tolerations = tolerations.plus(toleration(taint));
            }
        }
        return tolerations.size() == given.size() ? object : object.with(List.of("spec", "tolerations"), tolerations);
    }

    private static boolean tolerates(Json.Obj toleration, String taint) {
        var key = toleration.string("key");
        var effect = toleration.string("effect");
        return (key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals("NoExecute"));
    }

    private static Json.Obj toleration(String taint) {
        return Json.Obj.builder()
                .put("key", taint)
                .put("operator", "Exists")
                .put("effect", "NoExecute")
                .put("tolerationSeconds", SECONDS)
                .build();
    }
}
