package dev.towtank.model.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.towtank.model.Quantity;
import java.math.BigDecimal;

/// Amounts such as `1500m` and `2Gi`.
final class QuantityFunctions {

    private static final OpaqueType QUANTITY = OpaqueType.create("kubernetes.Quantity");

    private QuantityFunctions() {}

    static void addTo(FunctionLibrary library) {
        library.function("quantity")
                .global("string_to_quantity", QUANTITY, SimpleType.STRING, String.class, QuantityFunctions::parse);
        library.function("isQuantity")
                .global("is_quantity_string", SimpleType.BOOL, SimpleType.STRING, String.class, Quantity::isValid);
        library.function("sign")
                .member("quantity_sign", SimpleType.INT, QUANTITY, Quantity.class, value -> (long) value.signum());
        library.function("isGreaterThan")
                .member(
                        "quantity_is_greater_than",
                        SimpleType.BOOL,
                        QUANTITY,
                        Quantity.class,
                        QUANTITY,
                        Quantity.class,
                        (a, b) -> a.compareTo(b) > 0);
        library.function("isLessThan")
                .member(
                        "quantity_is_less_than",
                        SimpleType.BOOL,
                        QUANTITY,
                        Quantity.class,
                        QUANTITY,
                        Quantity.class,
                        (a, b) -> a.compareTo(b) < 0);
        library.function("compareTo")
                .member(
                        "quantity_compare_to",
                        SimpleType.INT,
                        QUANTITY,
                        Quantity.class,
                        QUANTITY,
                        Quantity.class,
                        (a, b) -> (long) a.compareTo(b));
        library.function("asApproximateFloat")
                .member(
                        "quantity_get_float",
                        SimpleType.DOUBLE,
                        QUANTITY,
                        Quantity.class,
                        value -> value.amount().doubleValue());
        library.function("asInteger")
                .member("quantity_get_int", SimpleType.INT, QUANTITY, Quantity.class, QuantityFunctions::integer);
        library.function("isInteger")
                .member("quantity_is_integer", SimpleType.BOOL, QUANTITY, Quantity.class, QuantityFunctions::isInteger);
        addArithmetic(library);
    }

    private static void addArithmetic(FunctionLibrary library) {
        library.function("add")
                .member("quantity_add", QUANTITY, QUANTITY, Quantity.class, QUANTITY, Quantity.class, Quantity::plus)
                .member(
                        "quantity_add_int",
                        QUANTITY,
                        QUANTITY,
                        Quantity.class,
                        SimpleType.INT,
                        Long.class,
                        (a, b) -> a.plus(Quantity.of(b)));
        library.function("sub")
                .member("quantity_sub", QUANTITY, QUANTITY, Quantity.class, QUANTITY, Quantity.class, Quantity::minus)
                .member(
                        "quantity_sub_int",
                        QUANTITY,
                        QUANTITY,
                        Quantity.class,
                        SimpleType.INT,
                        Long.class,
                        (a, b) -> a.minus(Quantity.of(b)));
    }

    private static Quantity parse(String text) {
        try {
            return Quantity.parse(text);
        } catch (Quantity.Malformed e) {
            throw new JsonValues.Missing(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isInteger(Quantity value) {
        return value.amount().stripTrailingZeros().scale() <= 0
                && value.amount().abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
    }

    private static long integer(Quantity value) {
        if (!isInteger(value)) {
            throw new JsonValues.Missing("cannot convert value to integer");
        }
        return value.amount().longValue();
    }
}
