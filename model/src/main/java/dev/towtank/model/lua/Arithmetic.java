package dev.towtank.model.lua;

/// The operators on two numbers.
enum Arithmetic {
    ADD("__add") {
        @Override
        double of(double left, double right) {
            return left + right;
        }
    },
    SUBTRACT("__sub") {
        @Override
        double of(double left, double right) {
            return left - right;
        }
    },
    MULTIPLY("__mul") {
        @Override
        double of(double left, double right) {
            return left * right;
        }
    },
    DIVIDE("__div") {
        @Override
        double of(double left, double right) {
            return left / right;
        }
    },
    /// Takes the sign of the divisor, other than Java's.
    MODULO("__mod") {
        @Override
        double of(double left, double right) {
            var rest = left % right;
            return rest != 0 && rest < 0 != right < 0 ? rest + right : rest;
        }
    },
    POWER("__pow") {
        @Override
        double of(double left, double right) {
            return Math.pow(left, right);
        }
    };

    private final String event;

    Arithmetic(String event) {
        this.event = event;
    }

    abstract double of(double left, double right);

    String event() {
        return event;
    }
}
