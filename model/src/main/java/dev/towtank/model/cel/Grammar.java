package dev.towtank.model.cel;

import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.compiler.CelCompiler;
import dev.cel.parser.CelStandardMacro;
import java.util.List;
import java.util.Map;

/// Reads texts of the plain language, without the functions of Kubernetes, to a [Syntax] tree.
///
/// For several threads; making one is expensive.
public final class Grammar {

    private static final int MAX_DEPTH = 100;

    private final CelCompiler compiler;
    private final Map<String, Syntax> constants;

    /// @param variables what a text may name
    /// @param constants names that stand for a value; their positions do not matter
    /// @param maxLength of a text, in code points
    public Grammar(Map<String, Shape> variables, Map<String, Syntax> constants, int maxLength) {
        this.constants = Map.copyOf(constants);
        var options = CelOptions.current()
                .enableReservedIds(true)
                .enableHeterogeneousNumericComparisons(false)
                .maxExpressionCodePointSize(maxLength)
                .maxParseRecursionDepth(MAX_DEPTH)
                .build();
        var types = new ShapeTypes();
        var builder = CelFactory.plannerCelBuilder()
                .setOptions(options)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .build()
                .toCompilerBuilder();
        variables.forEach((name, shape) -> builder.addVar(name, types.of(shape)));
        constants.forEach((name, value) -> builder.addVar(name, types.of(shape(value))));
        this.compiler = builder.setTypeProvider(types).build();
    }

    /// @param type of the whole, as the language names it
    /// @param lineEnds behind each line, in code points
    public record Read(Syntax tree, String type, List<Integer> lineEnds) {
        public Read {
            lineEnds = List.copyOf(lineEnds);
        }

        /// The line of a position, counted from one.
        public int line(int position) {
            int line = 0;
            for (int end : lineEnds) {
                line++;
                if (end > position) {
                    break;
                }
            }
            return line;
        }
    }

    /// @throws Expressions.Malformed with the compiler's own words
    public Read read(String text) throws Expressions.Malformed {
        try {
            var tree = compiler.compile(text).getAst();
            return new Read(
                    new Walk(tree, constants).syntax(tree.getExpr()),
                    CelTypes.format(tree.getResultType()),
                    tree.getSource().getLineOffsets());
        } catch (CelValidationException e) {
            throw new Expressions.Malformed(String.valueOf(e.getMessage()));
        }
    }

    private static Shape shape(Syntax constant) {
        return switch (constant.type()) {
            case BOOL -> Shape.Scalar.BOOL;
            case INT -> Shape.Scalar.INT;
            case DOUBLE -> Shape.Scalar.DOUBLE;
            case STRING -> Shape.Scalar.STRING;
            case TIMESTAMP, DURATION, NULL, LIST, MAP, OBJECT, ANY, OTHER ->
                throw new IllegalArgumentException("a name cannot stand for " + constant);
        };
    }

    private record Walk(CelAbstractSyntaxTree tree, Map<String, Syntax> constants) {

        Syntax syntax(CelExpr expression) {
            int position = position(expression);
            var type = type(expression);
            return switch (expression.exprKind().getKind()) {
                case CONSTANT -> constant(position, type, expression.constant());
                case IDENT -> {
                    var name = expression.ident().name();
                    var constant = constants.get(name);
                    yield constant != null ? constant : new Syntax.Variable(position, type, name);
                }
                case SELECT -> {
                    var select = expression.select();
                    yield new Syntax.Select(
                            position, type, syntax(select.operand()), select.field(), select.testOnly());
                }
                case CALL -> {
                    var call = expression.call();
                    yield new Syntax.Call(
                            position,
                            type,
                            call.function(),
                            call.target().map(this::syntax),
                            call.args().stream().map(this::syntax).toList());
                }
                case LIST ->
                    new Syntax.Elements(
                            position,
                            expression.list().elements().stream()
                                    .map(this::syntax)
                                    .toList());
                case NOT_SET, STRUCT, MAP, COMPREHENSION -> new Syntax.Unknown(position, type, false);
            };
        }

        private static Syntax constant(int position, Syntax.Type type, CelConstant constant) {
            return switch (constant.getKind()) {
                case NULL_VALUE -> new Syntax.Nothing(position);
                case BOOLEAN_VALUE -> new Syntax.Truth(position, constant.booleanValue());
                case INT64_VALUE -> new Syntax.Int(position, constant.int64Value());
                case UINT64_VALUE ->
                    constant.uint64Value().bigIntegerValue().bitLength() < Long.SIZE
                            ? new Syntax.Int(position, constant.uint64Value().longValue())
                            : new Syntax.Unknown(position, type, true);
                case DOUBLE_VALUE -> new Syntax.Real(position, constant.doubleValue());
                case STRING_VALUE -> new Syntax.Text(position, constant.stringValue());
                case NOT_SET, BYTES_VALUE, DURATION_VALUE, TIMESTAMP_VALUE -> new Syntax.Unknown(position, type, true);
            };
        }

        private int position(CelExpr expression) {
            return tree.getSource().getPositionsMap().getOrDefault(expression.id(), 0);
        }

        private Syntax.Type type(CelExpr expression) {
            return tree.getType(expression.id()).map(Walk::type).orElse(Syntax.Type.ANY);
        }

        private static Syntax.Type type(CelType type) {
            return switch (type.kind()) {
                case BOOL -> Syntax.Type.BOOL;
                case INT, UINT -> Syntax.Type.INT;
                case DOUBLE -> Syntax.Type.DOUBLE;
                case STRING -> Syntax.Type.STRING;
                case TIMESTAMP -> Syntax.Type.TIMESTAMP;
                case DURATION -> Syntax.Type.DURATION;
                case NULL_TYPE -> Syntax.Type.NULL;
                case LIST -> Syntax.Type.LIST;
                case MAP -> Syntax.Type.MAP;
                case STRUCT -> Syntax.Type.OBJECT;
                case DYN, ANY -> Syntax.Type.ANY;
                default -> Syntax.Type.OTHER;
            };
        }
    }
}
