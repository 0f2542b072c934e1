module example.com/ebbline/component-go

go 1.19
