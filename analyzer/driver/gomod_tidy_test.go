package driver

import "testing"

func TestImportsThatTidyGoMod(t *testing.T) {
	const file = "/m/p/f.go"
	for _, tt := range []struct {
		name, before, after string
		want                bool
	}{
		{"an old client goes", `import "example.com/old"`, ``, true},
		{"what is needed comes", ``, `import "example.com/need/sub"`, true},
		{"the module itself comes", ``, `import "example.com/need"`, true},
		{"one becomes the other", `import "example.com/old"`, `import "example.com/need"`, true},
		{"both stay", `import ("example.com/old"; "example.com/need")`, `import ("example.com/need"; "example.com/old")`, false},
		{"another name", `import a "example.com/old"`, `import b "example.com/old"`, false},
		{"the standard library", ``, `import "context"`, false},
		{"another module", ``, `import "example.com/needless"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &run{sources: newSources(), overlay: map[string][]byte{file: []byte("package p\n" + tt.after)}}
			r.sources.text[file] = []byte("package p\n" + tt.before)
			r.tools.old.paths = []string{"example.com/old"}
			r.tools.requires = func(Options) requirements { return requirements{module: "example.com/need"} }
			for dir, want := range map[string]bool{"/m": tt.want, "/m/p": tt.want, "/other": false} {
				got, err := r.changesRequired(dir)
				if err != nil {
					t.Fatal(err)
				}
				if got != want {
					t.Errorf("%s: got %t, want %t", dir, got, want)
				}
			}
		})
	}
}
