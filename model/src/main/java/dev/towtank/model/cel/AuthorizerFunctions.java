package dev.towtank.model.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionOverload;
import dev.towtank.model.Names;
import java.util.List;

/// Questions about what users may do: `authorizer.group('apps').resource('deployments').check('create').allowed()`.
final class AuthorizerFunctions {

    static final OpaqueType AUTHORIZER = OpaqueType.create("kubernetes.authorization.Authorizer");
    static final OpaqueType RESOURCE_CHECK = OpaqueType.create("kubernetes.authorization.ResourceCheck");
    private static final OpaqueType PATH_CHECK = OpaqueType.create("kubernetes.authorization.PathCheck");
    private static final OpaqueType GROUP_CHECK = OpaqueType.create("kubernetes.authorization.GroupCheck");
    private static final OpaqueType DECISION = OpaqueType.create("kubernetes.authorization.Decision");

    private AuthorizerFunctions() {}

    record PathCheck(Authority authority, String path) {}

    record GroupCheck(Authority authority, String group) {}

    record ResourceCheck(Authority authority, Authority.Resource resource) {

        ResourceCheck withSubresource(String subresource) {
            return with(subresource, resource.namespace(), resource.name());
        }

        ResourceCheck withNamespace(String namespace) {
            return with(resource.subresource(), namespace, resource.name());
        }

        ResourceCheck withName(String name) {
            return with(resource.subresource(), resource.namespace(), name);
        }

        private ResourceCheck with(String subresource, String namespace, String name) {
            return new ResourceCheck(
                    authority,
                    new Authority.Resource(resource.group(), resource.resource(), subresource, namespace, name));
        }
    }

    static void addTo(FunctionLibrary library) {
        addSubjects(library);
        addResources(library);
        addDecisions(library);
    }

    private static void addSubjects(FunctionLibrary library) {
        library.function("path")
                .member(
                        "authorizer_path",
                        PATH_CHECK,
                        AUTHORIZER,
                        Authority.class,
                        SimpleType.STRING,
                        String.class,
                        (authority, path) -> new PathCheck(authority, required("path", path)));
        library.function("group")
                .member(
                        "authorizer_group",
                        GROUP_CHECK,
                        AUTHORIZER,
                        Authority.class,
                        SimpleType.STRING,
                        String.class,
                        GroupCheck::new);
        library.function("serviceAccount")
                .member(
                        "authorizer_serviceaccount",
                        AUTHORIZER,
                        List.of(AUTHORIZER, SimpleType.STRING, SimpleType.STRING),
                        List.of(Authority.class, String.class, String.class),
                        arguments ->
                                serviceAccount((Authority) arguments[0], (String) arguments[1], (String) arguments[2]));
    }

    private static Authority serviceAccount(Authority authority, String namespace, String name) {
        if (!Names.dnsSubdomain(name).isEmpty()) {
            throw new JsonValues.Missing("Invalid service account name");
        }
        if (!Names.dnsLabel(namespace).isEmpty()) {
            throw new JsonValues.Missing("Invalid service account namespace");
        }
        return authority.serviceAccount(namespace, name);
    }

    private static void addResources(FunctionLibrary library) {
        library.function("resource")
                .member(
                        "groupcheck_resource",
                        RESOURCE_CHECK,
                        GROUP_CHECK,
                        GroupCheck.class,
                        SimpleType.STRING,
                        String.class,
                        (check, resource) -> new ResourceCheck(
                                check.authority(),
                                new Authority.Resource(check.group(), required("resource", resource), "", "", "")));
        narrow(library, "subresource", "resourcecheck_subresource", ResourceCheck::withSubresource);
        narrow(library, "namespace", "resourcecheck_namespace", ResourceCheck::withNamespace);
        narrow(library, "name", "resourcecheck_name", ResourceCheck::withName);
        // Roles know no selectors, so they narrow nothing.
        narrow(library, "fieldSelector", "authorizer_fieldselector", (check, _) -> check);
        narrow(library, "labelSelector", "authorizer_labelselector", (check, _) -> check);
    }

    private static void narrow(
            FunctionLibrary library,
            String name,
            String id,
            CelFunctionOverload.Binary<ResourceCheck, String> narrowing) {
        library.function(name)
                .member(
                        id,
                        RESOURCE_CHECK,
                        RESOURCE_CHECK,
                        ResourceCheck.class,
                        SimpleType.STRING,
                        String.class,
                        narrowing);
    }

    private static void addDecisions(FunctionLibrary library) {
        library.function("check")
                .member(
                        "pathcheck_check",
                        DECISION,
                        PATH_CHECK,
                        PathCheck.class,
                        SimpleType.STRING,
                        String.class,
                        (check, verb) -> check.authority().onPath(verb, check.path()))
                .member(
                        "resourcecheck_check",
                        DECISION,
                        RESOURCE_CHECK,
                        ResourceCheck.class,
                        SimpleType.STRING,
                        String.class,
                        (check, verb) -> check.authority().onResource(verb, check.resource()));
        library.function("allowed")
                .member(
                        "decision_allowed",
                        SimpleType.BOOL,
                        DECISION,
                        Authority.Decision.class,
                        Authority.Decision::allowed);
        library.function("reason")
                .member(
                        "decision_reason",
                        SimpleType.STRING,
                        DECISION,
                        Authority.Decision.class,
                        Authority.Decision::reason);
        library.function("error")
                .member(
                        "decision_error",
                        SimpleType.STRING,
                        DECISION,
                        Authority.Decision.class,
                        Authority.Decision::error);
        library.function("errored")
                .member(
                        "decision_errored",
                        SimpleType.BOOL,
                        DECISION,
                        Authority.Decision.class,
                        decision -> !decision.error().isEmpty());
    }

    private static String required(String what, String text) {
        if (text.isBlank()) {
            throw new JsonValues.Missing(what + " must not be empty");
        }
        return text;
    }
}
