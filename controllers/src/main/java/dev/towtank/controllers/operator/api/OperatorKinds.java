package dev.towtank.controllers.operator.api;

import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;

/// The configuration of the platform.
public final class OperatorKinds {

    public static final Kind<Json.Obj> TEKTON_CONFIG =
            Kind.clusterScoped("operator.tekton.dev", "v1alpha1", "TektonConfig", "tektonconfigs");
    public static final Kind<Json.Obj> TEKTON_RESULT =
            Kind.clusterScoped("operator.tekton.dev", "v1alpha1", "TektonResult", "tektonresults");

    /// The only one that counts.
    public static final ObjectName CONFIG = new ObjectName(LogicalCluster.DEFAULT, "", "config");

    private OperatorKinds() {}

    /// Whether a configuration switches Triggers off.
    public static boolean isWithoutTriggers(Resource config) {
        return config.spec().flag("trigger", "disabled")
                || config.spec().string("profile").equals("lite");
    }
}
