import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Prints what the Java compiler resolves in a source tree, for javac.mjs: `java References.java ROOT [CLASSPATH]`.
 *
 * A line `d` is a definition (number, kind, name, type around it, file, first and last line, line of its name), `o` a method and
 * one that it overrides, `u` a use (number of the definition, file, line, methods and types around it).
 */
public class References {
    static final Map<Element, Integer> numbers = new HashMap<>();
    static final List<ExecutableElement> methods = new ArrayList<>();

    public static void main(String[] words) throws Exception {
        Path root = Path.of(words[0]).toRealPath();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                Stream<Path> walk = Files.walk(root)) {
            List<Path> files = walk.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("module-info.java") && !path.endsWith("package-info.java"))
                    .sorted().collect(Collectors.toList());
            List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-Xmaxerrs", "1", "-XDshould-stop.ifError=FLOW"));
            if (words.length > 1) options.addAll(List.of("-cp", words[1]));
            JavacTask task = (JavacTask) compiler.getTask(new PrintWriter(System.err), manager, problem -> {}, options, null,
                    manager.getJavaFileObjectsFromPaths(files));
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            task.analyze();
            Trees trees = Trees.instance(task);
            for (CompilationUnitTree unit : units) new Definitions(unit, trees, root, out).scan(unit, null);
            for (ExecutableElement one : methods)
                for (ExecutableElement other : methods)
                    if (one != other && one.getSimpleName().equals(other.getSimpleName())
                            && task.getElements().overrides(one, other, (TypeElement) one.getEnclosingElement()))
                        out.println("o\t" + numbers.get(one) + "\t" + numbers.get(other));
            for (CompilationUnitTree unit : units) new Uses(unit, trees, root, out).scan(unit, null);
        }
        out.flush();
    }

    abstract static class Scanner extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Trees trees;
        final String file;
        final PrintWriter out;

        Scanner(CompilationUnitTree unit, Trees trees, Path root, PrintWriter out) {
            this.unit = unit;
            this.trees = trees;
            this.file = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
            this.out = out;
        }

        long lineOf(long position) {
            return unit.getLineMap().getLineNumber(position);
        }

        /** Returns the position of a name in a declaration: behind modifiers, annotations and types. */
        long positionOf(Tree tree, String name, long from) {
            try {
                // The compiler adds members to enumerations and records, which have no place.
                if (from < 0) return -1;
                String text = unit.getSourceFile().getCharContent(true).toString();
                var found = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text);
                return found.find((int) from) ? found.start() : from;
            } catch (java.io.IOException problem) {
                throw new java.io.UncheckedIOException(problem);
            }
        }
    }

    static class Definitions extends Scanner {
        Definitions(CompilationUnitTree unit, Trees trees, Path root, PrintWriter out) {
            super(unit, trees, root, out);
        }

        void define(Tree tree, String kind, String name, Tree before) {
            Element element = trees.getElement(getCurrentPath());
            if (element == null || name.isEmpty()) return;
            int number = numbers.size();
            numbers.put(element, number);
            SourcePositions positions = trees.getSourcePositions();
            long start = positions.getStartPosition(unit, tree);
            long end = positions.getEndPosition(unit, tree);
            long from = before == null ? start : Math.max(start, positions.getEndPosition(unit, before));
            if (element instanceof ExecutableElement) methods.add((ExecutableElement) element);
            Element around = element.getEnclosingElement();
            if (start < 0) return;
            String container = around instanceof TypeElement ? around.getSimpleName().toString() : "";
            out.println(String.join("\t", "d", "" + number, kind, name, container, file, "" + lineOf(start), "" + lineOf(end),
                    "" + lineOf(positionOf(tree, name, from))));
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            define(tree, tree.getKind() == Tree.Kind.INTERFACE ? "interface" : "class", tree.getSimpleName().toString(), tree.getModifiers());
            return super.visitClass(tree, nothing);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            String name = tree.getName().toString();
            if (!name.equals("<init>")) define(tree, "method", name, tree.getReturnType());
            return super.visitMethod(tree, nothing);
        }
    }

    static class Uses extends Scanner {
        final Deque<String> names = new ArrayDeque<>();

        Uses(CompilationUnitTree unit, Trees trees, Path root, PrintWriter out) {
            super(unit, trees, root, out);
        }

        boolean isNamed(String name, long from) {
            try {
                String text = unit.getSourceFile().getCharContent(true).toString();
                String rest = text.substring((int) from, (int) Math.min(text.length(), from + 400));
                return java.util.regex.Pattern.compile("[\\s.:]*(?:<[^;{}]*>\\s*)?" + java.util.regex.Pattern.quote(name) + "\\b")
                        .matcher(rest).lookingAt();
            } catch (java.io.IOException problem) {
                throw new java.io.UncheckedIOException(problem);
            }
        }

        void use(Tree tree, String name, long from) {
            Element element = trees.getElement(getCurrentPath());
            Integer number = numbers.get(element);
            if (number == null || from < 0) return;
            // Some names are not in the text: `value` of an annotation, `super` of a constructor.
            if (!isNamed(name, from)) return;
            List<String> around = new ArrayList<>(names);
            Collections.reverse(around);
            out.println(String.join("\t", "u", "" + number, file, "" + lineOf(positionOf(tree, name, from)), String.join(".", around)));
        }

        @Override
        public Void visitImport(ImportTree tree, Void nothing) {
            return null;
        }

        @Override
        public Void visitPackage(PackageTree tree, Void nothing) {
            return null;
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            boolean isNamed = !tree.getSimpleName().isEmpty();
            if (isNamed) names.push(tree.getSimpleName().toString());
            super.visitClass(tree, nothing);
            if (isNamed) names.pop();
            return null;
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            names.push(tree.getName().toString());
            super.visitMethod(tree, nothing);
            names.pop();
            return null;
        }

        @Override
        public Void visitIdentifier(IdentifierTree tree, Void nothing) {
            use(tree, tree.getName().toString(), trees.getSourcePositions().getStartPosition(unit, tree));
            return super.visitIdentifier(tree, nothing);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            use(tree, tree.getIdentifier().toString(), trees.getSourcePositions().getEndPosition(unit, tree.getExpression()));
            return super.visitMemberSelect(tree, nothing);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            use(tree, tree.getName().toString(), trees.getSourcePositions().getEndPosition(unit, tree.getQualifierExpression()));
            return super.visitMemberReference(tree, nothing);
        }
    }
}
