package dev.towtank.model.kinds.rbac;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The rules for bindings of both scopes.
///
/// @param roleKinds what the role may be
record BindingRules(boolean namespaced, List<String> roleKinds) implements Rules {

    private static final String GROUP = "rbac.authorization.k8s.io";

    static Column[] columns() {
        return new Column[] {
            Column.ofName(),
            Column.text(
                    "Role",
                    (object, _) -> Json.of(object.string("roleRef", "kind") + "/" + object.string("roleRef", "name"))),
            Column.ofAge(),
            subjects("Users", "User", subject -> subject.string("name")),
            subjects("Groups", "Group", subject -> subject.string("name")),
            subjects(
                    "ServiceAccounts",
                    "ServiceAccount",
                    subject -> subject.string("namespace") + "/" + subject.string("name"))
        };
    }

    private static Column subjects(String name, String kind, Function<Json.Obj, String> shown) {
        return Column.text(
                        name,
                        (object, _) -> Json.of(object.objects("subjects").stream()
                                .filter(subject -> subject.string("kind").equals(kind))
                                .map(shown)
                                .collect(Collectors.joining(", "))))
                .wide();
    }

    @Override
    public Names.Rule nameRule() {
        return Names.Rule.PATH_SEGMENT;
    }

    @Override
    public Json.Obj defaults(Json.Obj object) {
        var filled = object.with("roleRef", Fill.missing(object.object("roleRef"), "apiGroup", GROUP));
        return Fill.each(filled, "subjects", subject -> switch (subject.string("kind")) {
            case "User", "Group" -> Fill.missing(subject, "apiGroup", GROUP);
            default -> subject;
        });
    }

    @Override
    public void validate(Json.Obj object, FieldError.Collector errors) {
        var root = Field.root(object, errors);
        var role = root.at("roleRef");
        role.at("apiGroup").oneOf(GROUP);
        role.at("kind").oneOf(roleKinds);
        role.at("name").required("").matchesIfSet(Names::pathSegment);
        root.at("subjects").each(this::validateSubject);
    }

    private void validateSubject(Field subject) {
        subject.at("name").required("");
        switch (subject.at("kind").text()) {
            case "ServiceAccount" -> {
                subject.at("name").matchesIfSet(Names::dnsSubdomain);
                subject.at("apiGroup").oneOf("");
                if (!namespaced) {
                    subject.at("namespace").required("");
                }
            }
            case "User", "Group" -> subject.at("apiGroup").oneOf(GROUP);
            default -> subject.at("kind").oneOf("ServiceAccount", "User", "Group");
        }
    }

    @Override
    public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        var role = Field.root(object, errors).at("roleRef");
        if (!Field.same(role.value(), old.get("roleRef"))) {
            role.with(asGoShowsIt(role.object())).invalid("cannot change roleRef");
        }
    }

    private static Json.Obj asGoShowsIt(Json.Obj role) {
        return Json.Obj.of(
                "APIGroup", Json.of(role.string("apiGroup")),
                "Kind", Json.of(role.string("kind")),
                "Name", Json.of(role.string("name")));
    }

    @Override
    public boolean allowsCreateOnUpdate() {
        return true;
    }
}
