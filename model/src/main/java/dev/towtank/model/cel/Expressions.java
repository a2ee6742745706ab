package dev.towtank.model.cel;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Compiles texts to [Expression]s. Making one is expensive, so it is shared by all.
public final class Expressions {

    /// The most that Kubernetes spends on one evaluation.
    public static final long PER_CALL_LIMIT = 1_000_000;

    /// The most that Kubernetes spends on all rules of one object.
    public static final long PER_OBJECT_LIMIT = 10_000_000;

    private static final int MAX_CODE_POINTS = 100_000;
    private static final int MAX_DEPTH = 250;

    private static final CelOptions OPTIONS = CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .enableOptionalSyntax(true)
            .enableReservedIds(true)
            .maxExpressionCodePointSize(MAX_CODE_POINTS)
            .maxParseRecursionDepth(MAX_DEPTH)
            // The cost limit alone decides.
            .comprehensionMaxIterations(-1)
            .build();

    // Not the range: it would make a list of any length before anybody counts the cost.
    private static final Set<CelListsExtensions.Function> LISTS =
            EnumSet.complementOf(EnumSet.of(CelListsExtensions.Function.RANGE));

    private final Cel base;

    private Expressions(Cel base) {
        this.base = base;
    }

    /// An expression that does not compile; the message is the one of the compiler, with the place in the text.
    public static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    /// The language with the functions of Kubernetes 1.35.
    public static Expressions kubernetes() {
        return Kubernetes.INSTANCE;
    }

    // The library takes a while to start; whoever never compiles a rule does not pay for it.
    private static final class Kubernetes {
        static final Expressions INSTANCE = new Expressions(make());

        private static Cel make() {
            var builder = CelFactory.plannerCelBuilder()
                    .setOptions(OPTIONS)
                    .setStandardMacros(CelStandardMacro.STANDARD_MACROS);
            add(builder, CelExtensions.strings());
            add(builder, CelExtensions.sets(OPTIONS));
            add(builder, CelExtensions.lists(LISTS));
            add(builder, CelExtensions.comprehensions());
            add(builder, CelExtensions.optional());
            var functions = FunctionLibrary.kubernetes();
            builder.addFunctionDeclarations(functions.declarations());
            builder.addFunctionBindings(functions.bindings());
            return builder.build();
        }
    }

    /// The language of Tekton Triggers' interceptor `cel`. What asks for secrets is evaluated
    /// [with][TriggersFunctions#withSecrets] them.
    public static Expressions triggers() {
        return Triggers.INSTANCE;
    }

    private static final class Triggers {
        static final Expressions INSTANCE = new Expressions(make());

        private static Cel make() {
            var builder = CelFactory.plannerCelBuilder()
                    .setOptions(OPTIONS)
                    .setStandardMacros(CelStandardMacro.STANDARD_MACROS);
            add(builder, CelExtensions.strings());
            add(builder, CelExtensions.encoders(OPTIONS));
            add(builder, CelExtensions.sets(OPTIONS));
            add(builder, CelExtensions.lists(LISTS));
            add(builder, CelExtensions.math());
            var functions = FunctionLibrary.triggers();
            builder.addFunctionDeclarations(functions.declarations());
            builder.addFunctionBindings(functions.bindings());
            return builder.build();
        }
    }

    private static <L extends CelCompilerLibrary & CelRuntimeLibrary> void add(CelBuilder builder, L library) {
        builder.addCompilerLibraries(library);
        builder.addRuntimeLibraries(library);
    }

    /// Compiles one text; for several with the same variables a [#scope] is cheaper.
    ///
    /// @param variables what the text may name
    /// @param result what it must evaluate to
    /// @throws Malformed where it does not compile, or gives something else
    public Expression compile(String text, Map<String, Shape> variables, Shape.Scalar result) throws Malformed {
        return scope(variables).compile(text, result);
    }

    /// A scope in which expressions may build on others that have a [name][Scope#define]: `variables.name`.
    public Scope composedScope(Map<String, Shape> variables) {
        var all = new HashMap<>(variables);
        all.put(Activation.VARIABLES, new Shape.ObjectOf(Activation.VARIABLES_TYPE, Map.of()));
        return scope(all);
    }

    public Scope scope(Map<String, Shape> variables) {
        var builder = base.toCompilerBuilder();
        var types = new ShapeTypes();
        variables.forEach((name, shape) -> builder.addVar(name, types.of(shape)));
        builder.setTypeProvider(types);
        return new Scope(builder.build(), base, types, Map.copyOf(variables));
    }

    /// The variables that several expressions have in common.
    public static final class Scope {
        private final CelCompiler compiler;
        private final CelRuntime runtime;
        private final ShapeTypes types;
        private final Map<String, Shape> variables;
        private final Map<String, Expression> named = new HashMap<>();

        private Scope(CelCompiler compiler, CelRuntime runtime, ShapeTypes types, Map<String, Shape> variables) {
            this.compiler = compiler;
            this.runtime = runtime;
            this.types = types;
            this.variables = variables;
        }

        public Expression compile(String text, Shape.Scalar result) throws Malformed {
            try {
                var tree = compiler.compile(text).getAst();
                check(tree, types.of(result), result);
                return new Expression(
                        runtime.createProgram(tree), tree, variables, named, names(tree, variables.keySet()));
            } catch (CelValidationException e) {
                throw new Malformed("compilation failed: " + e.getMessage());
            } catch (CelEvaluationException e) {
                throw new Malformed("program instantiation failed: " + e.getMessage());
            }
        }

        /// @param types what the result may be, as [Expression#type] names it
        public Expression compileTo(List<String> types, String text) throws Malformed {
            var expression = compile(text, Shape.Scalar.ANY);
            if (types.contains(expression.type())) {
                return expression;
            }
            var expected = types.size() == 1 ? types.getFirst() : "one of [" + String.join(" ", types) + "]";
            throw new Malformed("must evaluate to " + expected + " but got " + expression.type());
        }

        /// Compiles an expression that those compiled later may use as `variables.name`. Not for several threads.
        public void define(String name, String text) throws Malformed {
            try {
                var expression = compile(text, Shape.Scalar.ANY);
                named.put(name, expression);
                types.addField(Activation.VARIABLES_TYPE, name, expression.celType());
            } catch (Malformed e) {
                // Only this one is to blame; those that use it are checked as far as possible.
                types.addField(Activation.VARIABLES_TYPE, name, SimpleType.DYN);
                throw e;
            }
        }
    }

    private static void check(CelAbstractSyntaxTree tree, CelType expected, Shape.Scalar result) throws Malformed {
        if (result != Shape.Scalar.ANY && !tree.getResultType().equals(expected)) {
            throw new Malformed(result == Shape.Scalar.BOOL ? "must evaluate to a bool" : "must evaluate to a string");
        }
    }

    private static Set<String> names(CelAbstractSyntaxTree tree, Set<String> variables) {
        var found = new HashSet<String>();
        for (var reference : tree.getReferenceMap().values()) {
            if (variables.contains(reference.name())) {
                found.add(reference.name());
            }
        }
        return found;
    }
}
