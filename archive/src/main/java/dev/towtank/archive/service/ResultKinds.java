package dev.towtank.archive.service;

import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;

/// The object that switches the archive on.
public final class ResultKinds {

    public static final Kind<Json.Obj> TEKTON_RESULT =
            Kind.clusterScoped("operator.tekton.dev", "v1alpha1", "TektonResult", "tektonresults");

    /// The only one that counts.
    static final ObjectName NAME = new ObjectName(LogicalCluster.DEFAULT, "", "result");

    /// Where the objects of the archive are looked for, unless the TektonResult says otherwise.
    static final String NAMESPACE = "tekton-pipelines";

    private ResultKinds() {}
}
