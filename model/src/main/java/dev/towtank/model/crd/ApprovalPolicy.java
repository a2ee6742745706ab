package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import java.net.URI;
import java.net.URISyntaxException;

/// Groups of the Kubernetes community are protected: their definitions say where they were approved.
///
/// @param reason in Kubernetes' words
record ApprovalPolicy(State state, String annotation, String reason) {

    enum State {
        UNPROTECTED,
        APPROVED,
        BYPASSED,
        MISSING,
        INVALID
    }

    private static final String ANNOTATION = "api-approved.kubernetes.io";
    private static final String ADVICE = ", see https://github.com/kubernetes/enhancements/pull/1111";

    static ApprovalPolicy of(Json.Obj crd) {
        var group = "." + crd.string("spec", "group");
        var annotation = crd.string("metadata", "annotations", ANNOTATION);
        if (!group.endsWith(".k8s.io") && !group.endsWith(".kubernetes.io")) {
            return new ApprovalPolicy(State.UNPROTECTED, annotation, "");
        }
        var needed = "protected groups must have approval annotation \"" + ANNOTATION + "\"";
        if (annotation.isEmpty()) {
            return new ApprovalPolicy(State.MISSING, annotation, needed + ADVICE);
        }
        if (annotation.startsWith("unapproved")) {
            return new ApprovalPolicy(State.BYPASSED, annotation, "not approved: " + Json.of(annotation));
        }
        return isUrl(annotation)
                ? new ApprovalPolicy(State.APPROVED, annotation, "approved in " + annotation)
                : new ApprovalPolicy(
                        State.INVALID,
                        annotation,
                        needed + " with either a URL or a reason starting with \"unapproved\"" + ADVICE);
    }

    private static boolean isUrl(String text) {
        try {
            var url = new URI(text);
            return url.getScheme() != null && url.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    void check(FieldError.Collector errors) {
        var at = Path.of("metadata", "annotations").key(ANNOTATION);
        switch (state) {
            case MISSING -> errors.required(at, reason);
            case INVALID -> errors.invalid(at, annotation, reason);
            case UNPROTECTED, APPROVED, BYPASSED -> {}
        }
    }
}
