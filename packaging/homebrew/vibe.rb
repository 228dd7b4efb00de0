# A formula for a tap of one's own: brew install vibe-index/tap/vibe
#
# Not tried: Homebrew does not run where this was written; `ruby -c` accepts it. Once a version is published, set
# `url` and `sha256`:
#
#   curl -fsSL https://registry.npmjs.org/vibe-index/-/vibe-index-VERSION.tgz | shasum -a 256
class Vibe < Formula
  desc "Explores a codebase with a language model, and answers what symbols are for"
  homepage "https://github.com/vibe-index/vibe-index"
  url "https://registry.npmjs.org/vibe-index/-/vibe-index-0.1.0.tgz"
  # Of no file yet: version 0.1.0 is not published.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "node"

  def install
    # npm links the man pages that package.json lists, into share/man.
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    completions = libexec/"lib/node_modules/vibe-index/dist/completions"
    bash_completion.install_symlink completions/"vibe.bash" => "vibe"
    zsh_completion.install_symlink completions/"_vibe"
    fish_completion.install_symlink completions/"vibe.fish"
  end

  test do
    (testpath/"greet.ts").write <<~TS
      /** Says hello to a person by name. */
      export const greet = (name: string) => name
    TS
    # Without a key and without a local model the built-in guide explores.
    ENV["OLLAMA_HOST"] = "127.0.0.1:9"
    assert_equal version.to_s, shell_output("#{bin}/vibe --version").strip
    system bin/"vibe", "index", "."
    assert_match "greet.ts:2", shell_output("#{bin}/vibe query greet a person")
  end
end
