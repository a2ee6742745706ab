package dev.towtank.model.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Collects the functions that Kubernetes, or Tekton Triggers, adds to the language; several subjects may add to one
/// function.
final class FunctionLibrary {

    private final Map<String, Function> functions = new LinkedHashMap<>();

    static FunctionLibrary kubernetes() {
        var library = new FunctionLibrary();
        ListFunctions.addTo(library);
        TextFunctions.addTo(library);
        QuantityFunctions.addTo(library);
        UrlFunctions.addTo(library);
        AddressFunctions.addTo(library);
        SemverFunctions.addTo(library);
        AuthorizerFunctions.addTo(library);
        return library;
    }

    static FunctionLibrary triggers() {
        var library = new FunctionLibrary();
        TriggersFunctions.addTo(library);
        return library;
    }

    Function function(String name) {
        return functions.computeIfAbsent(name, _ -> new Function());
    }

    List<CelFunctionDecl> declarations() {
        var declarations = new ArrayList<CelFunctionDecl>();
        functions.forEach(
                (name, function) -> declarations.add(CelFunctionDecl.newFunctionDeclaration(name, function.overloads)));
        return declarations;
    }

    List<CelFunctionBinding> bindings() {
        return functions.values().stream()
                .flatMap(function -> function.bindings.stream())
                .toList();
    }

    static final class Function {
        private final List<CelOverloadDecl> overloads = new ArrayList<>();
        private final List<CelFunctionBinding> bindings = new ArrayList<>();

        /// `f(a)`
        <A> Function global(String id, CelType result, CelType a, Class<A> typeA, CelFunctionOverload.Unary<A> body) {
            overloads.add(CelOverloadDecl.newGlobalOverload(id, result, a));
            bindings.add(CelFunctionBinding.from(id, typeA, body));
            return this;
        }

        /// `f(a, b)`
        <A, B> Function global(
                String id,
                CelType result,
                CelType a,
                Class<A> typeA,
                CelType b,
                Class<B> typeB,
                CelFunctionOverload.Binary<A, B> body) {
            overloads.add(CelOverloadDecl.newGlobalOverload(id, result, a, b));
            bindings.add(CelFunctionBinding.from(id, typeA, typeB, body));
            return this;
        }

        /// `a.f()`
        <A> Function member(String id, CelType result, CelType a, Class<A> typeA, CelFunctionOverload.Unary<A> body) {
            overloads.add(CelOverloadDecl.newMemberOverload(id, result, a));
            bindings.add(CelFunctionBinding.from(id, typeA, body));
            return this;
        }

        /// `a.f(b)`
        <A, B> Function member(
                String id,
                CelType result,
                CelType a,
                Class<A> typeA,
                CelType b,
                Class<B> typeB,
                CelFunctionOverload.Binary<A, B> body) {
            overloads.add(CelOverloadDecl.newMemberOverload(id, result, a, b));
            bindings.add(CelFunctionBinding.from(id, typeA, typeB, body));
            return this;
        }

        /// `a.f(b, c)`
        Function member(
                String id, CelType result, List<CelType> types, List<Class<?>> classes, CelFunctionOverload body) {
            overloads.add(CelOverloadDecl.newMemberOverload(id, result, types));
            bindings.add(CelFunctionBinding.from(id, classes, body));
            return this;
        }
    }
}
