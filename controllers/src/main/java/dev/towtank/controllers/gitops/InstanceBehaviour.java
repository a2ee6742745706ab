package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.model.Json;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Set;

/// What an ArgoCD object says about the programs of an Argo CD means nothing where there are none.
final class InstanceBehaviour implements KindBehaviour {

    private static final Set<String> COUNTS = Set.of(
            "resourceHealthChecks",
            "resourceIgnoreDifferences",
            "ignoreDifferences",
            "resourceExclusions",
            "resourceInclusions");

    @Override
    public String group() {
        return GitOpsKinds.GROUP;
    }

    @Override
    public String kind() {
        return "ArgoCD";
    }

    @Override
    public List<String> warnings(Json.Obj object) {
        var controller = object.object("spec", "controller");
        boolean isPaceOnly = controller.keys().stream().allMatch("env"::equals)
                && controller.objects("env").stream()
                        .allMatch(each -> each.string("name").equals(GitOpsSettings.WAVE_DELAY));
        return object.object("spec").keys().stream()
                .filter(field -> !COUNTS.contains(field) && !(field.equals("controller") && isPaceOnly))
                .map(field -> "spec." + field + " has no effect here"
                        + (field.equals("controller") ? ", but for " + GitOpsSettings.WAVE_DELAY + " in its env" : ""))
                .toList();
    }
}
