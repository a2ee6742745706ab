package dev.towtank.controllers.triggers.validation;

import dev.towtank.model.Json;
import java.util.Set;

/// The little that a listener may say about the pod that upstream runs it in.
final class PodChecks {

    private static final Set<String> POD = Set.of(
            "serviceAccountName",
            "containers",
            "tolerations",
            "nodeSelector",
            "affinity",
            "topologySpreadConstraints",
            "imagePullSecrets",
            "securityContext");
    private static final Set<String> CONTAINER =
            Set.of("resources", "env", "livenessProbe", "readinessProbe", "startupProbe", "securityContext");
    private static final Set<String> CUSTOM_CONTAINER = Set.of("resources", "env", "securityContext");

    private PodChecks() {}

    static TriggerProblems kubernetesResource(Json.Obj resource) {
        var balancer = resource.string("serviceLoadBalancerClass");
        return new TriggerProblems()
                .addIf(
                        resource.integer("replicas") < 0,
                        TriggerProblems.invalid(Long.toString(resource.integer("replicas")), "spec.replicas"))
                .add(pod(resource.object("spec", "template", "spec"), CONTAINER))
                .addIf(
                        resource.has("serviceLoadBalancerClass")
                                && !resource.string("serviceType").equals("LoadBalancer"),
                        TriggerProblems.invalid(
                                balancer,
                                "serviceLoadBalancerClass",
                                "ServiceLoadBalancerClass is only needed for LoadBalancer service type"));
    }

    static TriggerProblems customResource(Json.Obj resource) {
        return pod(resource.object("spec", "template", "spec"), CUSTOM_CONTAINER);
    }

    private static TriggerProblems pod(Json.Obj pod, Set<String> allowed) {
        var problems = only(pod, POD);
        var containers = pod.objects("containers");
        problems.addIf(containers.size() > 1, TriggerProblems.both("containers"));
        if (containers.size() == 1) {
            var container = containers.getFirst();
            problems.add(only(container, allowed).add(environment(container)).below("containers[0]"));
        }
        return problems.below("spec.template.spec");
    }

    private static TriggerProblems only(Json.Obj object, Set<String> allowed) {
        var problems = new TriggerProblems();
        for (var field : object) {
            boolean isSaid =
                    !field.getValue().equals(Json.of("")) && !field.getValue().equals(Json.Bool.FALSE);
            problems.addIf(isSaid && !allowed.contains(field.getKey()), TriggerProblems.disallowed(field.getKey()));
        }
        return problems;
    }

    private static TriggerProblems environment(Json.Obj container) {
        var problems = new TriggerProblems();
        int number = 0;
        var reserved = "";
        int count = 0;
        for (var variable : container.objects("env")) {
            var path = "env[" + number++ + "]";
            problems.add(only(variable, Set.of("name", "valueFrom")).below(path));
            problems.add(
                    only(variable.object("valueFrom"), Set.of("secretKeyRef")).below(path + ".valueFrom"));
            var name = variable.string("name");
            if (name.equals("TLS_CERT") || name.equals("TLS_KEY")) {
                reserved = name;
                count++;
            }
        }
        return problems.addIf(
                count == 1,
                TriggerProblems.of("Expected env's are TLS_CERT and TLS_KEY, but got only one env " + reserved));
    }
}
